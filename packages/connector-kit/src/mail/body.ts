import { htmlToMarkdown } from '../html-markdown.js';

const maxChars = 1_000_000;

/** Returns the plain text of a message, or its HTML as Markdown if there is no plain text. */
export function bodyOf({
  text = '',
  html = '',
}: {
  text?: string | undefined;
  html?: string | undefined;
}): string {
  const plain = text.replaceAll(/\r\n?/g, '\n').trim();
  return (plain === '' && html !== '' ? htmlToMarkdown(html) : plain).slice(0, maxChars);
}
