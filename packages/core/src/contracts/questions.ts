/** One answer to choose. */
export interface Choice<T extends string = string> {
  readonly value: T;
  /** Default: the value. */
  readonly label?: string;
  readonly hint?: string;
}

/** A secret as a person gave it. */
export interface GivenSecret {
  /** What the configuration contains: `env:NAME`, `file:/path`, or the secret. */
  readonly given: string;
  readonly value: string;
}

/** Questions to a person on a terminal. Each throws if the person cancels, and the caller must not catch this. */
export interface Questions {
  /** `check` returns the problem of an answer, or undefined. */
  text(
    message: string,
    options?: { initial?: string; check?: (text: string) => string | undefined },
  ): Promise<string>;
  /** Asks for a secret or a reference to one, until it can be read. */
  secret(message: string): Promise<GivenSecret>;
  choose<T extends string>(message: string, choices: readonly Choice<T>[], initial?: T): Promise<T>;
  several<T extends string>(
    message: string,
    choices: readonly Choice<T>[],
    initial?: readonly T[],
  ): Promise<T[]>;
  say(text: string): void;
  warn(text: string): void;
}

/** What a plugin has when it asks for a configuration. */
export interface QuestionContext {
  /** The URI of the source as the person gave it. */
  readonly target: string;
  /** `fetch` with limits and readable errors. */
  readonly http: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}
