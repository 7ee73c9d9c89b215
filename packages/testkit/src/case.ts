/** One thing that every implementation of a contract must do. Runs under any test runner: a failure is a plain error. */
export interface ConformanceCase<S> {
  /** Stable, kebab-case. */
  readonly id: string;
  /** What must hold, as a sentence. */
  readonly title: string;
  /** Resolves when it holds, throws an error that says what does not. */
  run(subject: S): Promise<void>;
}
