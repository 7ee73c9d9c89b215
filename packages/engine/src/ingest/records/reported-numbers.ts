import { NumberSet } from './number-set.js';

/**
 * The numbers of the records that a stream of changes has reported since its last checkpoint. Numbers are unique in a
 * source, so a bit for each record of the source is enough for all its objects.
 */
export class ReportedNumbers {
  #interval = 0;
  #numbers = new NumberSet();

  /** Returns the set of an interval between checkpoints. Drops that of the earlier intervals. */
  of(interval: number): NumberSet {
    if (interval !== this.#interval) this.#numbers = new NumberSet();
    this.#interval = interval;
    return this.#numbers;
  }
}
