/** In 32-bit words. A longer record has its own block. */
const blockLength = 1 << 18;

/** Packs records of 32-bit words into large blocks. Each record begins with its length. */
export class Records {
  readonly #blocks: Uint32Array[] = [];
  #last = new Uint32Array(0);
  #used = 0;
  #words = 0;

  get bytes(): number {
    return this.#words * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Appends a record. Returns its position. */
  append(record: Uint32Array): number {
    if (this.#used + record.length > this.#last.length) {
      this.#last = new Uint32Array(Math.max(blockLength, record.length));
      this.#blocks.push(this.#last);
      this.#words += this.#last.length;
      this.#used = 0;
    }
    const at = (this.#blocks.length - 1) * blockLength + this.#used;
    this.#last.set(record, this.#used);
    // A long record fills its block, so positions stay below the block's length.
    this.#used = record.length > blockLength ? this.#last.length : this.#used + record.length;
    return at;
  }

  /** Returns a view of the record. */
  at(position: number): Uint32Array {
    const block = this.#blocks[Math.floor(position / blockLength)] ?? this.#last;
    const start = position % blockLength;
    return block.subarray(start, start + (block[start] ?? 0));
  }
}
