import type { WalkPart } from '../walk/walk.js';

/** The parts of a search, with shared memory for the thread that searches each. */
export interface SharedParts {
  readonly parts: readonly WalkPart[];
  /** A number for each part: 0 before a thread claims it, then the owner. */
  readonly owners: Int32Array<SharedArrayBuffer>;
}

const omitted = -1;

export function shareParts(parts: readonly WalkPart[]): SharedParts {
  const bytes = parts.length * Int32Array.BYTES_PER_ELEMENT;
  return { parts, owners: new Int32Array(new SharedArrayBuffer(bytes)) };
}

/**
 * Claims and yields the parts that no other thread claims, in order. A repeated task yields the parts that it claimed
 * before.
 */
export function* claimParts(
  { parts, owners }: SharedParts,
  owner: number,
): Generator<WalkPart, void, undefined> {
  for (const [index, part] of parts.entries()) {
    const previous = Atomics.compareExchange(owners, index, 0, owner);
    if (previous === 0 || previous === owner) yield part;
  }
}

/** Ends the claims of all threads. All parts before a claimed one are claimed, so the rest are later in the walk. */
export function endClaims({ owners }: SharedParts): void {
  for (let index = 0; index < owners.length; index++) {
    Atomics.compareExchange(owners, index, 0, omitted);
  }
}
