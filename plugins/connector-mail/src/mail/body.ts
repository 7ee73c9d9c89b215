import { MarkdownWriter, writeHtml } from '@trove/text/markdown';
import { isTroveError } from '@trove/core';

/** Characters of one message. */
const maxChars = 1_000_000;

/** The text of a message; one that has only HTML, as Markdown. */
export function bodyOf({
  text = '',
  html = '',
}: {
  text?: string | undefined;
  html?: string | undefined;
}): string {
  const plain = text.replaceAll(/\r\n?/g, '\n').trim();
  return (plain === '' && html !== '' ? toMarkdown(html) : plain).slice(0, maxChars);
}

function toMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  try {
    const title = writeHtml(html, writer);
    return writer.finish(title, 'empty').markdown.trim();
  } catch (error) {
    // Without text, or too deep to be meant for people.
    if (isTroveError(error)) return '';
    throw error;
  }
}
