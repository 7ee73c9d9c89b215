import type { FilterablePassage } from '../types.js';
import { NumberArray } from './numbers.js';

const noMetadata = Object.freeze({});
/** Per passage: its id in a map and an array, and small metadata. */
const bytesPerPassage = 300;

type SlotMetadata = Readonly<Record<string, unknown>> | undefined;

/** Numbers passages. A number is never reused. */
export class Slots {
  readonly #ids: string[] = [];
  readonly #metadata: SlotMetadata[] = [];
  readonly #slots = new Map<string, number>();
  readonly #orders = new NumberArray();
  readonly #live = new NumberArray();
  #nextOrder = 0;

  /** Number of passages, without removed ones. */
  get size(): number {
    return this.#slots.size;
  }

  /** Number of slots, including those of removed passages. */
  get length(): number {
    return this.#ids.length;
  }

  get bytes(): number {
    return this.length * bytesPerPassage + this.#orders.bytes + this.#live.bytes;
  }

  /** Adds a passage in a new slot, last in order unless `order` is given. */
  add(id: string, metadata: SlotMetadata, order = this.#nextOrder++): number {
    const slot = this.#ids.length;
    this.#ids.push(id);
    this.#metadata.push(metadata);
    this.#slots.set(id, slot);
    this.#orders.set(slot, order);
    this.#live.set(slot, 1);
    return slot;
  }

  remove(slot: number): void {
    this.#slots.delete(this.idOf(slot));
    this.#ids[slot] = '';
    this.#metadata[slot] = undefined;
    this.#live.set(slot, 0);
  }

  of(id: string): number | undefined {
    return this.#slots.get(id);
  }

  idOf(slot: number): string {
    return this.#ids[slot] ?? '';
  }

  metadataOf(slot: number): SlotMetadata {
    return this.#metadata[slot];
  }

  orderOf(slot: number): number {
    return this.#orders.at(slot);
  }

  isLive(slot: number): boolean {
    return this.#live.at(slot) === 1;
  }

  /** Returns the slots of current passages, in no particular order. */
  live(): IterableIterator<number> {
    return this.#slots.values();
  }

  inOrder(slots: Iterable<number>): number[] {
    return [...slots].sort((a, b) => this.orderOf(a) - this.orderOf(b));
  }

  /** Returns 1 for each slot whose passage matches, else 0. */
  matching(
    matches: ((passage: FilterablePassage) => boolean) | ReadonlySet<string> | undefined,
  ): Uint8Array {
    if (matches === undefined) return Uint8Array.from(this.#live.values.subarray(0, this.length));
    const counts = new Uint8Array(this.length);
    if (typeof matches !== 'function') {
      for (const id of matches) {
        const slot = this.#slots.get(id);
        if (slot !== undefined) counts[slot] = 1;
      }
      return counts;
    }
    for (const [id, slot] of this.#slots) {
      if (matches({ id, metadata: this.#metadata[slot] ?? noMetadata })) counts[slot] = 1;
    }
    return counts;
  }
}
