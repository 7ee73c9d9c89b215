import type { CompleteScope } from '@trove/core';
import type { RecordCatalog, StoredRecord, TimeRange } from '@trove/core/store';

/** Selects stored records of an object. */
export type StoredSelection = Pick<Parameters<RecordCatalog['list']>[1], 'threads' | 'times'>;

/** The scopes of an object of which a source has reported every existing record. */
export class CompleteScopes {
  readonly #isWhole: boolean;
  readonly #threads: ReadonlySet<string>;
  readonly #ranges: readonly TimeRange[];

  constructor(scopes: readonly CompleteScope[] = []) {
    const parts = scopes.filter((scope) => scope !== 'object');
    this.#isWhole = parts.length < scopes.length;
    this.#threads = new Set(parts.flatMap((scope) => ('thread' in scope ? scope.thread : [])));
    this.#ranges = joinRanges(parts.filter((scope) => 'from' in scope));
  }

  get isEmpty(): boolean {
    return !this.#isWhole && this.#threads.size === 0 && this.#ranges.length === 0;
  }

  get hasThreads(): boolean {
    return this.#threads.size > 0;
  }

  contains({ thread, at }: Pick<StoredRecord, 'thread' | 'at'>): boolean {
    if (this.#isWhole || (thread !== null && this.#threads.has(thread))) return true;
    return at !== null && this.#ranges.some(({ from, to }) => from <= at && at < to);
  }

  /** Selections that cover all scopes. */
  selections(): StoredSelection[] {
    if (this.#isWhole) return [{}];
    return [
      ...(this.#threads.size === 0 ? [] : [{ threads: [...this.#threads] }]),
      ...this.#ranges.map((times) => ({ times })),
    ];
  }
}

/** Joins ranges that overlap or touch. A source often reports many adjacent ones. */
function joinRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const joined: TimeRange[] = [];
  for (const { from, to } of ranges.toSorted((left, right) => left.from - right.from)) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to) joined.push({ from, to });
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  }
  return joined;
}
