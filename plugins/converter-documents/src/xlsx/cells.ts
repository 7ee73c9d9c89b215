import { childOf, elementsOf, textOf, type XmlElement } from '../xml/element.js';
import { formatNumber, type NumberKind } from './number-formats.js';

/** Data that all cells of a workbook share. */
export interface CellContext {
  readonly strings: readonly string[];
  readonly kinds: readonly NumberKind[];
  readonly since1904: boolean;
  /** Names of comment authors by id. */
  readonly people: ReadonlyMap<string, string>;
}

/** Returns the displayed text of a cell. */
export function cellText(cell: XmlElement, { strings, kinds, since1904 }: CellContext): string {
  const value = textOf(childOf(cell, 'v'));
  const { t: type = 'n', s: style = '' } = cell.attributes;
  switch (type) {
    case 's':
      return strings[Number(value)] ?? '';
    case 'inlineStr':
      return richText(childOf(cell, 'is'));
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'n': {
      const number = Number(value);
      if (value === '' || Number.isNaN(number)) return value || formula(cell);
      return formatNumber(number, kinds[Number(style)] ?? 'number', since1904);
    }
    default:
      return unescaped(value);
  }
}

/** Returns text with several formats, without phonetic hints. */
export function richText(element: XmlElement | undefined): string {
  let text = '';
  for (const child of element === undefined ? [] : elementsOf(element)) {
    if (child.name === 't') text += textOf(child);
    else if (child.name === 'r') text += textOf(childOf(child, 't'));
  }
  return unescaped(text);
}

/** Decodes characters that XML cannot hold, written like `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '');
}

/** Returns the column of a reference such as `AB12`, starting at 0, or undefined. */
export function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + (letter.codePointAt(0) ?? 0) - 64;
  return column - 1;
}

/** Returns a formula whose result was not saved. */
function formula(cell: XmlElement): string {
  const text = textOf(childOf(cell, 'f'));
  return text === '' ? '' : `=${text}`;
}
