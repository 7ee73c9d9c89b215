import type { MarkdownWriter } from '@trove/text/markdown';

/** The content of a chart with its last drawn values. */
export interface Chart {
  /** The titles of the chart and its axes. */
  readonly titles: readonly string[];
  /** The first row names the series. */
  readonly rows: readonly (readonly string[])[];
}

/** Writes the titles and a table of the values. Leaves out the table without values. */
export function writeChart(writer: MarkdownWriter, { titles, rows }: Chart): void {
  writer.paragraph(titles.join('\n'));
  if (rows.length > 1) writer.table(rows);
}

/** Formats a chart as lines of text for a table cell. */
export function chartText({ titles, rows }: Chart): string {
  const values = rows.length > 1 ? rows.map((row) => row.join(' · ')) : [];
  return [...titles, ...values].join('\n');
}
