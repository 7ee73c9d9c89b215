import type { MarkdownWriter } from '@trove/core/markdown';

/** What a chart shows, with the values that the program last drew. */
export interface Chart {
  /** Its title and those of its axes. */
  readonly titles: readonly string[];
  /** The first row names the series. */
  readonly rows: readonly (readonly string[])[];
}

/** A table below its titles; where there are no values, only these. */
export function writeChart(writer: MarkdownWriter, { titles, rows }: Chart): void {
  writer.paragraph(titles.join('\n'));
  if (rows.length > 1) writer.table(rows);
}

/** A chart as lines of text, for a cell of a table. */
export function chartText({ titles, rows }: Chart): string {
  const values = rows.length > 1 ? rows.map((row) => row.join(' · ')) : [];
  return [...titles, ...values].join('\n');
}
