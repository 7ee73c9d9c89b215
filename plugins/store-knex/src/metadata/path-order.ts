const lastCodePoint = 0x10ffff;
const firstSurrogate = 0xd800;
const lastSurrogate = 0xdfff;

/** Compares by code point, like both databases. This is the order of the UTF-8 bytes. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Returns the first text after all texts that start with `prefix`, or null if there is none. */
export function firstAfterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (;;) {
    const last = points.pop();
    if (last === undefined) return null;
    if (last === lastCodePoint) continue;
    const next = last + 1 === firstSurrogate ? lastSurrogate + 1 : last + 1;
    return String.fromCodePoint(...points, next);
  }
}
