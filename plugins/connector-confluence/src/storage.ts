import { MarkdownWriter, writeHtml } from '@trove/text/markdown';

/** The content of a code macro. It is not escaped. */
const plainText = /<ac:plain-text-body>\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*<\/ac:plain-text-body>/g;
/** The text of a link to another page. */
const plainLink =
  /<ac:plain-text-link-body>\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*<\/ac:plain-text-link-body>/g;
/** Settings of macros, such as the language of code. */
const settings = /<ac:(parameter|task-id|task-uuid|task-status|placeholder)\b[^>]*>[^<]*<\/ac:\1>/g;

/** Converts a text in the storage format, which is XHTML with macros, to Markdown. */
export function storageToMarkdown(storage: unknown): string {
  if (typeof storage !== 'string') return '';
  const writer = new MarkdownWriter();
  const html = storage
    .replaceAll(plainText, (_, code: string) => `<pre>${escapeHtml(code)}</pre>`)
    .replaceAll(plainLink, (_, text: string) => escapeHtml(text))
    .replaceAll(settings, '');
  writeHtml(html, writer);
  return writer.hasText ? writer.finish(undefined, '').markdown.trimEnd() : '';
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
