/*
 * PostgreSQL keeps no NUL and neither engine keeps half of a surrogate pair. Both are written with U+0001 in front,
 * as is U+0001 itself, so that every string comes back as it was and NUL still sorts first.
 */

const UNSAFE = /[\0\u0001]|\p{Surrogate}/u;
/** How JSON writes them, and a little else. */
const UNSAFE_IN_JSON = /\\u(?:000[01]|d[89a-f])/;
const EVERY_UNSAFE = new RegExp(UNSAFE, 'gu');
const ESCAPED = /\u0001(?:([\u0001\u0002])|\u0003([0-9a-f]{4}))/g;

/** Text as it is stored. */
export function encodeText(text: string): string {
  return UNSAFE.test(text) ? text.replace(EVERY_UNSAFE, escape) : text;
}

/** Whether any string in a JSON text may have to be encoded: one look at all of them. */
export function mayBeUnsafe(json: string): boolean {
  return UNSAFE_IN_JSON.test(json);
}

/** The text that was stored. */
export function decodeText(stored: string): string {
  return stored.includes('\u0001') ? stored.replace(ESCAPED, unescape) : stored;
}

function escape(character: string): string {
  if (character === '\0') return '\u0001\u0001';
  if (character === '\u0001') return '\u0001\u0002';
  return `\u0001\u0003${character.charCodeAt(0).toString(16)}`;
}

function unescape(_match: string, control: string | undefined, surrogate: string): string {
  if (control === undefined) return String.fromCharCode(Number.parseInt(surrogate, 16));
  return control === '\u0001' ? '\0' : '\u0001';
}
