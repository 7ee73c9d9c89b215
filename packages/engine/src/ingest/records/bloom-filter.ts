/** The filter grows in parts. A part takes new groups until an eighth of its bits could be set. */
const partBytes = [2 ** 18, 2 ** 20, 2 ** 23] as const;
const hashCount = 4;
const maxFill = 1 / 8;

interface FilterPart {
  readonly marks: Uint8Array;
  /** The number of groups that it still takes. */
  room: number;
}

/**
 * A Bloom filter of group ids. It takes 256 KiB for 65,000 groups, and at most 9.3 MiB. A few of a million new groups are
 * reported as known.
 */
export class BloomFilter {
  readonly #parts: FilterPart[] = [];

  /** Adds a group. Returns false if it may have been added before. */
  add(group: string): boolean {
    const { start, step } = hashesOf(group);
    if (this.#parts.some(({ marks }) => hasMarks(marks, start, step))) return false;
    const part = this.#partWithRoom();
    part.room--;
    for (const place of placesIn(part.marks, start, step)) setBit(part.marks, place);
    return true;
  }

  /** The last part takes all further groups. */
  #partWithRoom(): FilterPart {
    const last = this.#parts.at(-1);
    const bytes = partBytes[this.#parts.length];
    if (last !== undefined && (last.room > 0 || bytes === undefined)) return last;
    const part = newPart(bytes ?? partBytes[0]);
    this.#parts.push(part);
    return part;
  }
}

function newPart(bytes: number): FilterPart {
  return { marks: new Uint8Array(bytes), room: (bytes * 8 * maxFill) / hashCount };
}

function hasMarks(marks: Uint8Array, start: number, step: number): boolean {
  for (const place of placesIn(marks, start, step)) {
    if (((marks[place >> 3] ?? 0) & (1 << (place & 7))) === 0) return false;
  }
  return true;
}

function setBit(marks: Uint8Array, place: number): void {
  marks[place >> 3] = (marks[place >> 3] ?? 0) | (1 << (place & 7));
}

/** Yields the bits of a group. */
function* placesIn({ length }: Uint8Array, start: number, step: number): Generator<number, void> {
  for (let at = 0; at < hashCount; at++) yield (start + Math.imul(at, step)) & (length * 8 - 1);
}

function hashesOf(group: string): { readonly start: number; readonly step: number } {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < group.length; at++) {
    const code = group.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  return { start: mixBits(one), step: mixBits(other) | 1 };
}

/** Spreads differences of few bits over all bits. */
function mixBits(hash: number): number {
  let spread = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  spread = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35);
  return spread ^ (spread >>> 16);
}
