import { passageId } from '../identity/ids.js';
import type { TripletInput } from './triplets.js';

/** A passage to be, before its triplets are known. */
export interface PassageDraft {
  /** Null: a hash of its text. */
  readonly id: string | null;
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Null: to be extracted, if that is wanted. */
  readonly triplets: readonly TripletInput[] | null;
}

/** Gives passages their ids: texts that are there several times are counted. */
export class PassageIds {
  readonly #taken = new Set<string>();
  /** Which copy of an id comes next: looking from the first one again would take ever longer. */
  readonly #next = new Map<string, number>();

  assign({ id, text }: Pick<PassageDraft, 'id' | 'text'>): string {
    const own = id ?? passageId(text);
    let free = own;
    let copy = this.#next.get(own) ?? 2;
    while (this.#taken.has(free)) free = `${own}-${copy++}`;
    this.#taken.add(free);
    if (free !== own) this.#next.set(own, copy);
    return free;
  }
}
