/** A growing array of 32-bit numbers. Unset elements are 0. */
export class NumberArray {
  values = new Uint32Array(16);
  length = 0;

  get bytes(): number {
    return this.values.byteLength;
  }

  at(index: number): number {
    return index < this.length ? (this.values[index] ?? 0) : 0;
  }

  set(index: number, value: number): void {
    if (index >= this.length) this.#extend(index + 1);
    this.values[index] = value;
  }

  add(index: number, value: number): void {
    this.set(index, this.at(index) + value);
  }

  push(value: number): number {
    const index = this.length;
    this.set(index, value);
    return index;
  }

  /** Appends `count` elements. Returns the index of the first. */
  extend(count: number): number {
    const start = this.length;
    this.#extend(start + count);
    return start;
  }

  #extend(length: number): void {
    if (length > this.values.length) {
      const larger = new Uint32Array(Math.max(length, Math.ceil(this.values.length * 1.5)));
      larger.set(this.values);
      this.values = larger;
    }
    this.length = length;
  }
}
