import { resolveWithin } from '../abort.js';

/** Time limit for releasing an abandoned iteration. */
const endLimitMs = 1000;
/** A plugin whose items are all at hand would otherwise keep the event loop until it has yielded them all. */
const maxTurnMs = 10;

/** A part ends after this many items, or with the first item that arrives after this many milliseconds. */
export interface ItemBatchLimits {
  readonly items: number;
  readonly ms: number;
}

/** What whoever guards an iteration does at each of its items. */
export interface ItemCallbacks<R> {
  /** Throws when nobody wants any more of them. */
  readonly assertActive: () => void;
  /** Called from time to time while items arrive. */
  readonly onProgress: () => void;
  /** The error of a plugin that yields in no way that an iterator can. */
  readonly invalidStep: () => Error;
  /** Validates and converts an item, or throws. */
  readonly check: ((item: R) => R) | undefined;
}

/** Pulls items out of an iterator: one promise for all of a part, since each costs more than most items. */
export class ItemReader<R> {
  readonly #iterator: AsyncIterator<R>;
  readonly #guard: ItemCallbacks<R>;
  #isOver = false;

  constructor(iterator: AsyncIterator<R>, guard: ItemCallbacks<R>) {
    this.#iterator = iterator;
    this.#guard = guard;
  }

  /** Adds items to `part` until it is full; true when these were the last. Throws what the iterator and the guard throw. */
  fill(part: R[], limits: ItemBatchLimits): Promise<boolean> {
    const { assertActive, onProgress, invalidStep, check } = this.#guard;
    return new Promise((resolve, reject) => {
      const started = performance.now();
      let turn = started;
      const ask = (): void => {
        try {
          assertActive();
          Promise.resolve(this.#iterator.next()).then(take, reject);
        } catch (error) {
          reject(error);
        }
      };
      const take = (step: IteratorResult<R, unknown>): void => {
        if (this.#isOver) return;
        try {
          if (typeof step !== 'object' || step === null) throw invalidStep();
          if (step.done === true) return resolve(true);
          part.push(check === undefined ? step.value : check(step.value));
        } catch (error) {
          return reject(error);
        }
        const now = performance.now();
        if (part.length >= limits.items || now - started >= limits.ms) return resolve(false);
        if (now - turn <= maxTurnMs) return ask();
        turn = now;
        onProgress();
        setImmediate(ask);
      };
      ask();
    });
  }

  /** Nothing more is wanted. Never throws, and waits for at most a second: what an iterator reports at its end no longer matters. */
  async end(): Promise<void> {
    this.#isOver = true;
    try {
      await resolveWithin(Promise.resolve(this.#iterator.return?.()), endLimitMs, undefined);
    } catch {
      // The iteration is over either way.
    }
  }
}
