import type { RecordWriter } from './record-writer.js';
import type { Unit } from './unit.js';

/** The number of rows that are passed on together. */
const rowsPerBatch = 512;

/** Passes units on when they have enough rows. */
export class UnitBatch {
  readonly #writer: RecordWriter;
  #units: Unit[] = [];
  #rows = 0;

  constructor(writer: RecordWriter) {
    this.#writer = writer;
  }

  async add(unit: Unit): Promise<void> {
    this.#units.push(unit);
    this.#rows += unit.rows.length;
    if (this.#rows >= rowsPerBatch) await this.end();
  }

  async end(): Promise<void> {
    const units = this.#units;
    this.#units = [];
    this.#rows = 0;
    await this.#writer.put(units);
  }
}
