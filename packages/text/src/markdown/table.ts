/** Maximum number of columns of a table. */
export const maxTableColumns = 1_000;
/** Rows of tables up to this width are padded for reading as plain text. GitHub's Markdown does not require it. */
const maxPaddedColumns = 50;
/** Maximum characters of a row, equal to the limit of a document. Cells may share one long text in memory. */
const maxLineLength = 16 * 1024 * 1024;

/**
 * Formats rows as lines of a table in GitHub's Markdown. The first row is the head. Yields nothing for a table without
 * text.
 */
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

/** Returns the number of cells up to the last one with text. */
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
