import { passageId } from '../identity/ids.js';
import type { TripletInput } from './triplets.js';

/** A passage before the extraction of its triplets. */
export interface PassageDraft {
  /** Null for a hash of the text. */
  readonly id: string | null;
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Null to extract them, if the request asks for that. */
  readonly triplets: readonly TripletInput[] | null;
}

/** Assigns ids to passages. Numbers the copies of equal texts. */
export class PassageIds {
  readonly #taken = new Set<string>();
  /** The number of the next copy. Counting from the first copy each time would become slow. */
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
