import { Reader, type Place } from './reader.js';

/** Gives each call a connection of its own: calls never wait for each other, and a file put in its place is seen. */
export class Database {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  async run<T>(signal: AbortSignal, use: (reader: Reader) => Promise<T>): Promise<T> {
    const reader = await Reader.open(this.#place, signal);
    try {
      return await use(reader);
    } finally {
      await reader.close();
    }
  }

  async *stream<T>(
    signal: AbortSignal,
    use: (reader: Reader) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const reader = await Reader.open(this.#place, signal);
    try {
      yield* use(reader);
    } finally {
      await reader.close();
    }
  }
}
