/** Matches text that would begin a heading, a code block or a rule. */
const blockStart = /^(?=#{1,6}(?:\s|$)|`{3}|~{3}|(?:-{3,}|={3,})\s*$)/gm;

/**
 * Escapes text for Markdown. Escapes only characters that would change the surrounding structure, because searches do
 * not contain `snake\_case`.
 */
export function escapeText(text: string): string {
  return text.replaceAll(blockStart, '\\');
}

/** Longer texts are not labels or addresses, and may contain other links. */
const maxLabelLength = 2_000;
const maxUrlLength = 4_000;

/**
 * Formats a link. Returns the bare text if the URL is empty or leads to the same document. Keeps spaces around the
 * text.
 */
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

/** Collapses white space to single spaces and trims the text. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
