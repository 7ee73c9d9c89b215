import type { AnalyzedWord } from './word.js';

/**
 * Each pair is stored as a 16-bit number in hexadecimal, because pairs are numerous. With 20 bits, an index of pairs
 * takes four times as long to build and ten times as long to update without better results. A collision only adds a
 * little noise.
 */
const tokenLength = 4;
const hexDigits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const space = 0x20;

/** Returns a number whose lower 16 bits identify two adjacent terms in this order. */
function pairNumber(first: number, second: number): number {
  const hash = (Math.imul(first, 31) + second) | 0;
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

/** Collects the tokens of adjacent term pairs, separated by spaces. */
export class PairText {
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;

  /** Adds the pairs of adjacent words. */
  add(words: readonly AnalyzedWord[]): void {
    let previous: number | undefined;
    for (const { parts } of words) {
      if (typeof parts === 'number') {
        if (previous !== undefined) this.#put(pairNumber(previous, parts));
        previous = parts;
        continue;
      }
      for (const part of parts) {
        if (previous !== undefined) this.#put(pairNumber(previous, part));
        previous = part;
      }
    }
  }

  toString(): string {
    return this.#bytes.toString('latin1', 0, Math.max(0, this.#length - 1));
  }

  tokens(): string[] {
    return this.#length === 0 ? [] : this.toString().split(' ');
  }

  #put(pair: number): void {
    if (this.#length + tokenLength + 1 > this.#bytes.length) this.#grow();
    const bytes = this.#bytes;
    let at = this.#length;
    for (let shift = 0; shift < 4 * tokenLength; shift += 4) {
      bytes[at++] = hexDigits[(pair >>> shift) & 15] ?? 0;
    }
    bytes[at++] = space;
    this.#length = at;
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
