import { MarkdownWriter, writeHtml } from '@trove/text/markdown';
import { isTroveError } from '@trove/core';

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
  return (plain === '' && html !== '' ? toMarkdown(html) : plain).slice(0, maxChars);
}

function toMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  try {
    const title = writeHtml(html, writer);
    return writer.finish(title, 'empty').markdown.trim();
  } catch (error) {
    // The HTML has no text, or is nested too deeply.
    if (isTroveError(error)) return '';
    throw error;
  }
}
