const pageBits = 65_536;

/** A set of whole numbers with a bit for each. A million numbers close together take 128 KiB. */
export class NumberSet {
  /** Restores a set from `list`. */
  static of(pages: readonly (readonly (number | string)[])[]): NumberSet {
    const set = new NumberSet();
    for (const [page, text] of pages) {
      const bits = new Uint8Array(pageBits / 8);
      bits.set(Buffer.from(String(text), 'base64'));
      set.#pages.set(Number(page), bits);
      for (const byte of bits) set.#size += bitsIn(byte);
    }
    return set;
  }

  readonly #pages = new Map<number, Uint8Array>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** JSON values of the set: the bits of each page in base64, without zeros at the end. */
  list(): [page: number, bits: string][] {
    return Array.from(this.#pages, ([page, bits]) => {
      const end = bits.findLastIndex((byte) => byte !== 0) + 1;
      return [page, Buffer.from(bits.subarray(0, end)).toString('base64')];
    });
  }

  add(number: number): void {
    const page = Math.floor(number / pageBits);
    const bits = this.#pages.get(page) ?? new Uint8Array(pageBits / 8);
    this.#pages.set(page, bits);
    const [at, bit] = placeOf(number);
    const byte = bits[at] ?? 0;
    if ((byte & bit) !== 0) return;
    bits[at] = byte | bit;
    this.#size++;
  }

  addAll(other: NumberSet): void {
    for (const [page, added] of other.#pages) {
      const bits = this.#pages.get(page) ?? new Uint8Array(pageBits / 8);
      this.#pages.set(page, bits);
      for (const [at, byte] of added.entries()) {
        const before = bits[at] ?? 0;
        bits[at] = before | byte;
        this.#size += bitsIn(before | byte) - bitsIn(before);
      }
    }
  }

  has(number: number): boolean {
    const [at, bit] = placeOf(number);
    return ((this.#pages.get(Math.floor(number / pageBits))?.[at] ?? 0) & bit) !== 0;
  }
}

function bitsIn(byte: number): number {
  let bits = 0;
  for (let rest = byte; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/** Returns the byte in a page and the bit in that byte. */
function placeOf(number: number): [number, number] {
  const inPage = number % pageBits;
  return [inPage >> 3, 1 << (inPage & 7)];
}
