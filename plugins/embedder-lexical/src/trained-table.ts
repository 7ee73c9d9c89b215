const formatVersion = 1;
const headerBytes = 16;
const maxQuantized = 127;

/** Statistics of learned terms, before packing. */
export interface TermStatistics {
  /** Hash of each term, ascending. */
  readonly hashes: Int32Array;
  /** ln((texts + 1) / (texts with it + 0.5)) of each. */
  readonly rarities: Float32Array;
  /** `hashes.length` × `rank`, row by row. */
  readonly directions: Float32Array;
  readonly rank: number;
  /** Number of sampled texts. */
  readonly texts: number;
}

/**
 * The trained state: the rarity of each term and its direction in the latent space. Each dimension takes one byte,
 * scaled by the term's largest value. Cosines stay equal to three digits.
 */
export class TrainedTable {
  readonly rank: number;
  /** Rarity of a term that occurs in no text. */
  readonly maxRarity: number;
  readonly #hashes: Int32Array;
  readonly #rarities: Float32Array;
  readonly #scales: Float32Array;
  readonly #directions: Int8Array;

  /** Reads a state that `packTable` created for this rank. Throws a RangeError for other states. */
  constructor(state: Uint8Array, rank: number) {
    // Typed arrays need aligned memory.
    const bytes = state.byteOffset % 4 === 0 ? state : Uint8Array.from(state);
    const { buffer, byteOffset } = bytes;
    const header = bytes.byteLength < headerBytes ? [] : new Uint32Array(buffer, byteOffset, 4);
    const [version, terms = 0, found, texts = 0] = header;
    if (version !== formatVersion || found !== rank || bytes.byteLength !== sizeOf(terms, rank)) {
      throw new RangeError('the trained state belongs to another version of the embedder');
    }
    const part = 4 * terms;
    const start = byteOffset + headerBytes;
    this.rank = rank;
    this.maxRarity = rarity(1, texts);
    this.#hashes = new Int32Array(buffer, start, terms);
    this.#rarities = new Float32Array(buffer, start + part, terms);
    this.#scales = new Float32Array(buffer, start + 2 * part, terms);
    this.#directions = new Int8Array(buffer, start + 3 * part, terms * rank);
  }

  /** Returns the number of the term with this hash, or -1 for an unknown term. */
  numberOf(hash: number): number {
    const hashes = this.#hashes;
    let low = 0;
    let high = hashes.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = hashes[middle] ?? 0;
      if (found === hash) return middle;
      if (found < hash) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  rarityOf(number: number): number {
    return this.#rarities[number] ?? this.maxRarity;
  }

  /** Returns the factor for all dimensions of a term. */
  scaleOf(number: number): number {
    return this.#scales[number] ?? 0;
  }

  /**
   * Adds the directions of the first `count` terms. Handles four dimensions of all terms at a time, so the processor
   * loads many terms in parallel.
   */
  sumInto(sum: Float32Array, numbers: Int32Array, weights: Float64Array, count: number): void {
    const { rank } = this;
    const directions = this.#directions;
    for (let i = 0; i < rank; i += 4) {
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let term = 0; term < count; term++) {
        const at = (numbers[term] ?? 0) * rank + i;
        const weight = weights[term] ?? 0;
        a += weight * (directions[at] ?? 0);
        b += weight * (directions[at + 1] ?? 0);
        c += weight * (directions[at + 2] ?? 0);
        d += weight * (directions[at + 3] ?? 0);
      }
      // Writes beyond the last dimension are outside the array and have no effect.
      sum[i] = a;
      sum[i + 1] = b;
      sum[i + 2] = c;
      sum[i + 3] = d;
    }
  }
}

/** Returns the rarity of a term that occurs in this many of the texts. */
export function rarity(textsWithIt: number, texts: number): number {
  return Math.log((texts + 1) / (textsWithIt + 0.5));
}

/** Packs the statistics into bytes for storage. */
export function packTable({
  hashes,
  rarities,
  directions,
  rank,
  texts,
}: TermStatistics): Uint8Array {
  const terms = hashes.length;
  const buffer = new ArrayBuffer(sizeOf(terms, rank));
  new Uint32Array(buffer, 0, 4).set([formatVersion, terms, rank, texts]);
  const part = 4 * terms;
  new Int32Array(buffer, headerBytes, terms).set(hashes);
  new Float32Array(buffer, headerBytes + part, terms).set(rarities);
  const scales = new Float32Array(buffer, headerBytes + 2 * part, terms);
  const packed = new Int8Array(buffer, headerBytes + 3 * part, terms * rank);
  for (let term = 0; term < terms; term++) {
    const row = directions.subarray(term * rank, (term + 1) * rank);
    const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    scales[term] = largest / maxQuantized;
    if (largest === 0) continue;
    for (const [i, value] of row.entries()) {
      packed[term * rank + i] = Math.round((value / largest) * maxQuantized);
    }
  }
  return new Uint8Array(buffer);
}

function sizeOf(terms: number, rank: number): number {
  return headerBytes + terms * (3 * 4 + rank);
}
