export interface TableColumn {
  readonly title: string;
  readonly align?: 'right';
  /**
   * Behaviour in a narrow table. Columns marked `left-out` are dropped first, from the right. Then `shortened` columns
   * lose their start.
   */
  readonly narrow?: 'left-out' | 'shortened';
}

const gap = 2;
/** Minimum width of a shortened column while other columns can be dropped. */
const minShortenedWidth = 20;

/** Renders rows under column titles. The table is at most `width` wide. */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number = Infinity,
): string[] {
  const natural = columns.map((column, index) => ({
    ...column,
    cells: [column.title, ...rows.map((row) => row[index] ?? '')],
  }));
  const fitted = fitColumns(natural, width);
  return Array.from({ length: rows.length + 1 }, (_, line) =>
    fitted
      .map(({ align, cells, size }) => {
        const cell = shortenStart(cells[line] ?? '', size);
        return align === 'right' ? cell.padStart(size) : cell.padEnd(size);
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

interface FilledColumn extends TableColumn {
  readonly cells: readonly string[];
}

function fitColumns(
  columns: readonly FilledColumn[],
  width: number,
): (FilledColumn & { readonly size: number })[] {
  const sized = columns.map((column) => ({
    ...column,
    size: Math.max(...column.cells.map((cell) => cell.length)),
  }));
  const excess = sized.reduce((sum, { size }) => sum + size + gap, -gap) - Math.max(width, 0);
  if (excess <= 0) return sized;
  const shortened = sized.find(({ narrow }) => narrow === 'shortened');
  const spare = Math.max(0, (shortened?.size ?? 0) - minShortenedWidth);
  const leftOut = columns.findLastIndex(({ narrow }) => narrow === 'left-out');
  if (excess > spare && leftOut !== -1) return fitColumns(columns.toSpliced(leftOut, 1), width);
  return sized.map((column) =>
    column === shortened
      ? { ...column, size: Math.max(column.title.length, column.size - excess) }
      : column,
  );
}

/** Drops the start of a path, because its end is more useful. */
function shortenStart(text: string, size: number): string {
  return text.length <= size ? text : `…${text.slice(text.length - size + 1)}`;
}

/** Renders names and values, one pair per line. */
export function renderPairs(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
