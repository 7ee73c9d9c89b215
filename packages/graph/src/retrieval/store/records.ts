/** Words of 32 bits; a longer record has a block of its own. */
const blockLength = 1 << 18;

/** Records of 32-bit words, each beginning with its own length, packed into few large blocks. */
export class Records {
  readonly #blocks: Uint32Array[] = [];
  #last = new Uint32Array(0);
  #used = 0;
  #words = 0;

  get bytes(): number {
    return this.#words * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Where the record is from now on. */
  append(record: Uint32Array): number {
    if (this.#used + record.length > this.#last.length) {
      this.#last = new Uint32Array(Math.max(blockLength, record.length));
      this.#blocks.push(this.#last);
      this.#words += this.#last.length;
      this.#used = 0;
    }
    const at = (this.#blocks.length - 1) * blockLength + this.#used;
    this.#last.set(record, this.#used);
    // What comes after a record longer than a block goes to a new block: positions stay below the block's length.
    this.#used = record.length > blockLength ? this.#last.length : this.#used + record.length;
    return at;
  }

  /** A view of the record. */
  at(position: number): Uint32Array {
    const block = this.#blocks[Math.floor(position / blockLength)] ?? this.#last;
    const start = position % blockLength;
    return block.subarray(start, start + (block[start] ?? 0));
  }
}
