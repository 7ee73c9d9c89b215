const fnvPrime = 0x01000193;

/** Initial value of a hash over UTF-16 code units (FNV-1a). */
export const hashStart = 0x811c9dc5 | 0;

export function hashCodeUnit(hash: number, codeUnit: number): number {
  return Math.imul(hash ^ codeUnit, fnvPrime);
}

/** Distributes a hash evenly over 0..2^31 - 1. */
export function mix(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 1;
}

export function hashText(text: string): number {
  let hash = hashStart;
  for (let i = 0; i < text.length; i++) hash = hashCodeUnit(hash, text.charCodeAt(i));
  return mix(hash);
}
