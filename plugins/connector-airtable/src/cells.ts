import { isJson, textAt } from './json.js';

type CellScalar = string | number | boolean;
export type CellValue = CellScalar | readonly CellScalar[];

/** Returns the values of a cell without ids and addresses. Undefined for an empty one, and for one that cannot be shown. */
export function cellValue(cell: unknown): CellValue | undefined {
  if (Array.isArray(cell)) {
    const values = cell.flatMap((each) => cellValue(each) ?? []);
    return values.length === 0 ? undefined : values;
  }
  if (typeof cell === 'string') return plainText(cell);
  if (typeof cell === 'number' || typeof cell === 'boolean') return cell;
  return isJson(cell) ? plainText(nameOfCell(cell)) : undefined;
}

/** Returns a cell as a text, or ''. */
export function cellText(cell: unknown): string {
  const value = cellValue(cell);
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/**
 * Returns the shown text of an object: of a person, a file, a barcode or a text of an AI field. Addresses of files expire after two hours.
 * A button, an error of a formula and a special value such as NaN have none.
 */
function nameOfCell(cell: object): string {
  const isAiText = textAt(cell, 'state') !== '';
  if (isAiText) return textAt(cell, 'value');
  for (const member of ['filename', 'name', 'email', 'text']) {
    const text = textAt(cell, member);
    if (text !== '') return text;
  }
  return '';
}

/** Removes the tags of mentions: `<airtable:mention id="men…">@Ann</airtable:mention>`. */
function plainText(text: string): string | undefined {
  const plain = text.replaceAll(/<\/?airtable:mention(?: [^<>]*)?>/g, '');
  return plain.trim() === '' ? undefined : plain;
}
