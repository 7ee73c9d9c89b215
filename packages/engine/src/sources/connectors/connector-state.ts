import type { SourceState } from '@trove/core';

/** A JSON value, so that `undefined` means that there is none. */
type LoadState = () => Promise<unknown>;

/** What a connector keeps of its source, besides the cursor, in the course of one job after another. */
export class ConnectorState implements SourceState {
  readonly #load: LoadState;
  readonly #check: (value: unknown) => void;
  #set: { readonly json: string } | null = null;

  /** `check` throws for a value that cannot be kept. */
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

  /** Called when a listing begins: what one that was not kept has set is forgotten. */
  reset(): void {
    this.#set = null;
  }

  /** What was set since then; undefined: nothing. */
  get pending(): unknown {
    return this.#set === null ? undefined : JSON.parse(this.#set.json);
  }
}
