/** A table is not read beyond this many columns. */
export const maxTableColumns = 1_000;
/** Up to this width all rows have all columns, for whoever reads the text as it is; GitHub's Markdown does not need it. */
const maxPaddedColumns = 50;
/** Characters, as many as a document may have: all cells of a row may have the same long text, which is then held once. */
const maxLineLength = 16 * 1024 * 1024;

/** Rows of cells as the lines of a table in GitHub's Markdown; the first row is its head. None for a table without text. */
export function* tableLines(rows: readonly (readonly string[])[]): Generator<string> {
  const width = rows.reduce((widest, row) => Math.max(widest, usedCells(row)), 0);
  let hasHead = false;
  for (const row of rows) {
    const used = usedCells(row);
    if (used === 0) continue;
    yield rowLine(row, hasHead && width > maxPaddedColumns ? used : width);
    if (!hasHead) yield `|${' --- |'.repeat(width)}`;
    hasHead = true;
  }
}

function rowLine(cells: readonly string[], width: number): string {
  let line = '|';
  for (let i = 0; i < width && line.length < maxLineLength; i++)
    line += ` ${cellText(cells[i] ?? '')} |`;
  return line;
}

/** Number of cells up to the last one with text. */
function usedCells(row: readonly string[]): number {
  return Math.min(row.findLastIndex((cell) => cell.trim() !== '') + 1, maxTableColumns);
}

function cellText(text: string): string {
  const trimmed = text.trim();
  if (!/[|\n\r\t]/.test(trimmed)) return trimmed;
  const lines = trimmed.split(/[\r\n]+/).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join('<br>')
    .replaceAll('|', '\\|')
    .replaceAll('\t', ' ');
}
