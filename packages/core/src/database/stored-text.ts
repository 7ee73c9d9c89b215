/*
 * PostgreSQL stores no NUL, and neither engine stores lone surrogates. Both are escaped with U+0001, as is U+0001
 * itself. Every string round-trips, and NUL still sorts first.
 */

const controlCharacter = /[\0\u0001]/;
/** Matches their JSON escapes, and a few others. */
const unsafeInJson = /\\u(?:000[01]|d[89a-f])/;
const everyUnsafe = /[\0\u0001]|\p{Surrogate}/gu;
const escapeSequence = /\u0001(?:([\u0001\u0002])|\u0003([0-9a-f]{4}))/g;

/** Encodes a text for storage. */
export function encodeText(text: string): string {
  const isSafe = text.isWellFormed() && !controlCharacter.test(text);
  return isSafe ? text : text.replace(everyUnsafe, escapeCharacter);
}

/** Whether any string in a JSON text may need encoding. Checks all of them at once. */
export function mayNeedEncoding(json: string): boolean {
  return json.includes('\\u') && unsafeInJson.test(json);
}

/** Decodes a stored text. */
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
