/**
 * One requirement that every implementation of a contract must meet. Works in any test runner: a failure is a plain
 * error.
 */
export interface ConformanceCase<S> {
  /** Stable, kebab-case. */
  readonly id: string;
  /** The requirement, as a sentence. */
  readonly title: string;
  /** Resolves when it is met; throws an error that says what is not. */
  run(subject: S): Promise<void>;
}
