const bitCount = 2 ** 26;
const hashCount = 4;

/** A Bloom filter of group ids. It takes 8 MiB. A few of a million new groups are reported as known. */
export class BloomFilter {
  readonly #marks = new Uint8Array(bitCount / 8);

  /** Adds a group. Returns false if it may have been added before. */
  add(group: string): boolean {
    let isNew = false;
    let [one, other] = [0x811c9dc5, 0x9747b28c];
    for (let at = 0; at < group.length; at++) {
      const code = group.charCodeAt(at);
      one = Math.imul(one ^ code, 0x01000193);
      other = Math.imul(other ^ code, 0x5bd1e995);
    }
    let place = mixBits(one);
    const step = mixBits(other) | 1;
    for (let mark = 0; mark < hashCount; mark++) {
      const bit = place & (bitCount - 1);
      const byte = this.#marks[bit >> 3] ?? 0;
      isNew ||= (byte & (1 << (bit & 7))) === 0;
      this.#marks[bit >> 3] = byte | (1 << (bit & 7));
      place = (place + step) | 0;
    }
    return isNew;
  }
}

/** Spreads differences of few bits over all bits. */
function mixBits(hash: number): number {
  let spread = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  spread = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35);
  return spread ^ (spread >>> 16);
}
