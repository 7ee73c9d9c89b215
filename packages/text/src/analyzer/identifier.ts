import {
  asciiClasses,
  connectorClass,
  digitClass,
  lowerClass,
  markClass,
  separatorClass,
  upperClass,
  classOf,
} from './characters.js';

/** Hashes and base64 change the character class about every two characters, unlike names. */
const minNoiseLength = 12;
const maxMeanNoisePart = 3;

function startsPart(previous: number, current: number, next: number): boolean {
  if (previous === current) return current === upperClass && next === lowerClass;
  if (current === upperClass) return true;
  if (current === digitClass) return true;
  return previous === digitClass;
}

/**
 * Splits an identifier into words: `parseHTTPHeader_v2` -> `parse HTTP Header v 2`. Any other character separates too.
 */
export function splitIdentifier(identifier: string): string[] {
  const parts: string[] = [];
  let start = -1;
  let previous = separatorClass;
  for (let i = 0; i < identifier.length;) {
    const code = identifier.codePointAt(i) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    const current = code < 128 ? (asciiClasses[code] ?? separatorClass) : classOf(code);
    if (current === separatorClass || current === connectorClass) {
      if (start >= 0) parts.push(identifier.slice(start, i));
      start = -1;
      previous = separatorClass;
    } else if (start < 0) {
      start = i;
      previous = current;
    } else if (current !== markClass) {
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

/** Whether the parts look like a hash or encoded data. */
export function isNoise(length: number, parts: readonly string[]): boolean {
  return length >= minNoiseLength && parts.length * maxMeanNoisePart > length;
}
