import type { MarkdownWriter } from '@trove/text/markdown';

/** Puts the number of a heading or clause, such as `2.2` or `(a)`, before its text. */
export function labelled(label: string | undefined, text: string): string {
  return label === undefined || label === '' ? text : `${label} ${text.trimStart()}`;
}

/** Writes an item of a list. A label that is not a Markdown number becomes part of the text. */
export function writeItem(
  writer: MarkdownWriter,
  depth: number,
  label: string,
  text: string,
): void {
  if (/^\d{1,9}[.)]?$/.test(label))
    writer.item(depth, /\d$/.test(label) ? `${label}.` : label, text);
  else writer.item(depth, '-', labelled(label, text));
}
