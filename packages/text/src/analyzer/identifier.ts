import {
  ASCII_CLASSES,
  CONNECTOR,
  DIGIT,
  LOWER,
  MARK,
  SEPARATOR,
  UPPER,
  classOf,
} from './characters.js';

/** Random-looking strings (hashes, base64) change class every two characters; names do not. */
const NOISE_MIN_LENGTH = 12;
const NOISE_MAX_MEAN_PART = 3;

function startsPart(previous: number, current: number, next: number): boolean {
  if (previous === current) return current === UPPER && next === LOWER;
  if (current === UPPER) return true;
  if (current === DIGIT) return true;
  return previous === DIGIT;
}

/** The words of an identifier: `parseHTTPHeader_v2` -> `parse HTTP Header v 2`. Any other character separates too. */
export function splitIdentifier(identifier: string): string[] {
  const parts: string[] = [];
  let start = -1;
  let previous = SEPARATOR;
  for (let i = 0; i < identifier.length;) {
    const code = identifier.codePointAt(i) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    const current = code < 128 ? (ASCII_CLASSES[code] ?? SEPARATOR) : classOf(code);
    if (current === SEPARATOR || current === CONNECTOR) {
      if (start >= 0) parts.push(identifier.slice(start, i));
      start = -1;
      previous = SEPARATOR;
    } else if (start < 0) {
      start = i;
      previous = current;
    } else if (current !== MARK) {
      const after = identifier.codePointAt(i + width) ?? 0;
      if (startsPart(previous, current, classOf(after))) {
        parts.push(identifier.slice(start, i));
        start = i;
      }
      previous = current;
    }
    i += width;
  }
  if (start >= 0) parts.push(identifier.slice(start));
  return parts;
}

/** Whether the parts look like a hash or encoded data rather than a name. */
export function isNoise(length: number, parts: readonly string[]): boolean {
  return length >= NOISE_MIN_LENGTH && parts.length * NOISE_MAX_MEAN_PART > length;
}
