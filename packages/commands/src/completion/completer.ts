export interface CompletionCandidate {
  readonly value: string;
  readonly description: string;
}

/** The values that fit, and whether the shell adds the files that it knows. */
export interface Completions {
  readonly candidates: readonly CompletionCandidate[];
  readonly withFiles: boolean;
}

/** Finds the values of one kind that may begin with what was typed. */
export type Completer<Context> = (typed: string, context: Context) => Promise<Completions>;
