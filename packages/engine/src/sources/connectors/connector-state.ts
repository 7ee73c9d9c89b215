import type { SourceState } from '@trove/core';

/** Loads a JSON value; `undefined` if there is none. */
type LoadState = () => Promise<unknown>;

/** The state that a connector keeps from job to job, in addition to the cursor. */
export class ConnectorState implements SourceState {
  readonly #load: LoadState;
  readonly #check: (value: unknown) => void;
  #set: { readonly json: string } | null = null;

  /** `check` throws for a value that cannot be stored. */
  constructor(load: LoadState, check: (value: unknown) => void) {
    this.#load = load;
    this.#check = check;
  }

  async get(): Promise<unknown> {
    return this.#set === null ? this.#load() : JSON.parse(this.#set.json);
  }

  set(value: unknown): void {
    this.#check(value);
    this.#set = { json: JSON.stringify(value) };
  }

  /** Discards values of a listing that was not completed. Call it before a listing. */
  reset(): void {
    this.#set = null;
  }

  /** The value that was set since `reset`; undefined if there is none. */
  get pending(): unknown {
    return this.#set === null ? undefined : JSON.parse(this.#set.json);
  }
}
