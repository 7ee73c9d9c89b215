import { isTroveError } from '@trove/core';
import { MarkdownWriter, writeHtml } from '@trove/text/markdown';

/** Returns the text of HTML as Markdown. Empty for HTML without text, or with too many levels. */
export function htmlToMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  try {
    const title = writeHtml(html, writer);
    return writer.finish(title, 'empty').markdown.trim();
  } catch (error) {
    if (isTroveError(error)) return '';
    throw error;
  }
}
