import { passageId } from '../identity/ids.js';
import type { GivenTriplet } from './triplets.js';

/** A passage to be, before its triplets are known. */
export interface Draft {
  /** Null: a hash of its text. */
  readonly id: string | null;
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Null: to be extracted, if that is wanted. */
  readonly triplets: readonly GivenTriplet[] | null;
}

/** Gives passages their ids: texts that are there several times are counted. */
export class PassageIds {
  readonly #taken = new Set<string>();

  take({ id, text }: Pick<Draft, 'id' | 'text'>): string {
    const own = id ?? passageId(text);
    let free = own;
    for (let copy = 2; this.#taken.has(free); copy++) free = `${own}-${copy}`;
    this.#taken.add(free);
    return free;
  }
}
