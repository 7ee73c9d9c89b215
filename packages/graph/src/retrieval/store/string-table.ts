/** Per entry of a map and an array of short strings, besides the characters. */
const bytesPerEntry = 88;

/** Numbers strings from 0 in order of appearance. */
export class StringTable {
  readonly #numbers = new Map<string, number>();
  readonly #strings: string[] = [];
  #characters = 0;

  get size(): number {
    return this.#strings.length;
  }

  get bytes(): number {
    return this.size * bytesPerEntry + this.#characters;
  }

  /** Returns the number of a string. Adds unknown strings. */
  intern(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#strings.length;
    // A slice would keep its whole text in memory.
    const own = copyString(text);
    this.#strings.push(own);
    this.#numbers.set(own, number);
    this.#characters += own.length;
    return number;
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#strings[number] ?? '';
  }
}

function copyString(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
