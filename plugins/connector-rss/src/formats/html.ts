import { Parser } from 'htmlparser2';

/** Deeper elements are left out, because no text of a person is nested like this. */
const maxDepth = 300;
export const voidNames = new Set(['br', 'hr', 'img', 'wbr', 'source', 'input']);
const omittedNames = new Set([
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'template',
  'noscript',
]);
/** Every relative link becomes longer than the base, so a long base would multiply the size of a document. */
const maxBaseChars = 2000;
const linkAttributes = new Set(['href', 'src']);

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function escapeAttribute(text: string): string {
  return escapeHtml(text).replaceAll('"', '&quot;');
}

/** Returns whether a text contains tags or character references. */
export function isHtml(text: string): boolean {
  return /<\/?[a-z!]|&(?:#\d|#x[\da-f]|[a-z]{2,31};)/i.test(text);
}

/** Converts plain text to HTML with a paragraph for each block of lines. */
export function paragraphsOf(text: string): string {
  const blocks = text.split(/\n\s*\n/).filter((block) => block.trim() !== '');
  return blocks.map((block) => `<p>${escapeHtml(block.trim())}</p>`).join('\n');
}

/** Returns the visible text of HTML in one line. */
export function plainTextOf(html: string): string {
  if (!isHtml(html)) return toLine(html);
  let text = '';
  const parser = new Parser({
    ontext: (piece) => (text += piece),
    onopentag: (name) => (text += name === 'br' ? ' ' : ''),
  });
  parser.end(html);
  return toLine(text);
}

export function toLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Writes HTML again with closed elements and absolute links, without scripts, styles and frames. */
export function cleanHtml(html: string, base: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let omitted = 0;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      depth++;
      if (omitted > 0 || omittedNames.has(name)) omitted++;
      else if (depth <= maxDepth) pieces.push(openTag(name, attributes, base));
    },
    ontext: (text) => {
      if (omitted === 0) pieces.push(escapeHtml(text));
    },
    onclosetag: (name) => {
      if (omitted > 0) omitted--;
      else if (depth <= maxDepth && !voidNames.has(name)) pieces.push(`</${name}>`);
      depth--;
    },
  });
  parser.end(html);
  return pieces.join('').trim();
}

function openTag(name: string, attributes: Readonly<Record<string, string>>, base: string): string {
  const list = Object.entries(attributes)
    .filter(([key]) => /^[a-z][\w-]*$/.test(key) && !key.startsWith('on') && key !== 'style')
    .map(
      ([key, value]) => [key, linkAttributes.has(key) ? resolveLink(value, base) : value] as const,
    )
    .map(([key, value]) => ` ${key}="${escapeAttribute(value ?? '')}"`);
  return `<${name}${list.join('')}>`;
}

/** Returns an absolute web address; null for an address of another kind, and for one that is relative to a very long one. */
export function resolveLink(link: string, base: string): string | null {
  const trimmed = link.trim();
  if (trimmed === '' || !URL.canParse(trimmed, base)) return null;
  if (base.length > maxBaseChars && !URL.canParse(trimmed)) return null;
  const { protocol, href } = new URL(trimmed, base);
  return protocol === 'https:' || protocol === 'http:' || protocol === 'mailto:' ? href : null;
}
