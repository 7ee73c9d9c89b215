/*
 * PostgreSQL stores no NUL, and neither engine stores lone surrogates. Both are escaped with U+0001, as is U+0001
 * itself, so that every string round-trips and NUL still sorts first.
 */

const controlCharacter = /[\0\u0001]/;
/** How JSON writes them, and a few others. */
const unsafeInJson = /\\u(?:000[01]|d[89a-f])/;
const everyUnsafe = /[\0\u0001]|\p{Surrogate}/gu;
const escapeSequence = /\u0001(?:([\u0001\u0002])|\u0003([0-9a-f]{4}))/g;

/** Text in its stored form. */
export function encodeText(text: string): string {
  const isSafe = text.isWellFormed() && !controlCharacter.test(text);
  return isSafe ? text : text.replace(everyUnsafe, escapeCharacter);
}

/** Whether any string in a JSON text may need encoding: one check for all of them. */
export function mayNeedEncoding(json: string): boolean {
  return json.includes('\\u') && unsafeInJson.test(json);
}

/** The original of a stored text. */
export function decodeText(stored: string): string {
  return stored.includes('\u0001') ? stored.replace(escapeSequence, unescapeSequence) : stored;
}

function escapeCharacter(character: string): string {
  if (character === '\0') return '\u0001\u0001';
  if (character === '\u0001') return '\u0001\u0002';
  return `\u0001\u0003${character.charCodeAt(0).toString(16)}`;
}

function unescapeSequence(_match: string, control: string | undefined, surrogate: string): string {
  if (control === undefined) return String.fromCharCode(Number.parseInt(surrogate, 16));
  return control === '\u0001' ? '\0' : '\u0001';
}
