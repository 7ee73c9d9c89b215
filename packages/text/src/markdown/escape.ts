/** What would begin a heading, a block of code or a rule where text was meant. */
const blockStart = /^(?=#{1,6}(?:\s|$)|`{3}|~{3}|(?:-{3,}|={3,})\s*$)/gm;

/**
 * Text of a document as Markdown. Only what would change the structure around it is escaped: nobody searches for
 * `snake\_case`.
 */
export function escapeText(text: string): string {
  return text.replaceAll(blockStart, '\\');
}

/** What is longer is no label or address, and what is around it may be a link, too. */
const maxLabelLength = 2_000;
const maxUrlLength = 4_000;

/** A link; the bare text where it leads nowhere, or only to another place of the same document. Keeps spaces around. */
export function formatLink(text: string, url: string): string {
  if (text.length > maxLabelLength || url.length > maxUrlLength) return text;
  const target = url.trim().replaceAll(/[\s<>]/g, encodeURIComponent);
  if (target === '' || /^(?:#|javascript:|data:|vbscript:)/i.test(target)) return text;
  const label = text.trim().replaceAll(/\s+/g, ' ');
  if (label === '') return '';
  const start = /^\s/.test(text) ? ' ' : '';
  const end = /\s$/.test(text) ? ' ' : '';
  if (label === target || `mailto:${label}` === target) return start + label + end;
  const address = /[()]/.test(target) ? `<${target}>` : target;
  return `${start}[${label.replaceAll(/[[\]]/g, '\\$&')}](${address})${end}`;
}

/** Several spaces and line ends as one space; no space at the ends. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
