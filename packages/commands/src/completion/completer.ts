export interface CompletionCandidate {
  readonly value: string;
  readonly description: string;
}

/** The matching values. `withFiles` adds the shell's own file names. */
export interface Completions {
  readonly candidates: readonly CompletionCandidate[];
  readonly withFiles: boolean;
}

/** Finds values of one kind that start with the typed text. */
export type Completer<Context> = (typed: string, context: Context) => Promise<Completions>;
