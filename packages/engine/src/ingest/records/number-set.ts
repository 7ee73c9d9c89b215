const pageBits = 65_536;

/** A set of whole numbers with a bit for each. A million numbers close together take 128 KiB. */
export class NumberSet {
  readonly #pages = new Map<number, Uint8Array>();
  #size = 0;

  get size(): number {
    return this.#size;
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

  has(number: number): boolean {
    const [at, bit] = placeOf(number);
    return ((this.#pages.get(Math.floor(number / pageBits))?.[at] ?? 0) & bit) !== 0;
  }
}

/** Returns the byte in a page and the bit in that byte. */
function placeOf(number: number): [number, number] {
  const inPage = number % pageBits;
  return [inPage >> 3, 1 << (inPage & 7)];
}
