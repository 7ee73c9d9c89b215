/** Rows of cells as a table in GitHub's Markdown; the first row is its head. Empty for a table without text. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(cellText));
  const width = cells.reduce((widest, row) => Math.max(widest, usedCells(row)), 0);
  const [head, ...body] = cells.filter((row) => usedCells(row) > 0);
  if (head === undefined) return [];
  return [
    rowLine(head, width),
    `|${' --- |'.repeat(width)}`,
    ...body.map((row) => rowLine(row, width)),
  ];
}

function rowLine(cells: readonly string[], width: number): string {
  let line = '|';
  for (let i = 0; i < width; i++) line += ` ${cells[i] ?? ''} |`;
  return line;
}

/** Number of cells up to the last one with text. */
function usedCells(row: readonly string[]): number {
  return row.findLastIndex((cell) => cell !== '') + 1;
}

function cellText(text: string): string {
  const trimmed = text.trim();
  if (!/[|\n\r\t]/.test(trimmed)) return trimmed;
  return trimmed
    .replaceAll('|', '\\|')
    .replaceAll(/\s*[\r\n]+\s*/g, '<br>')
    .replaceAll('\t', ' ');
}
