/**
 * One requirement on every implementation of a contract. Works in any test runner, because a failure is a plain error.
 */
export interface ConformanceCase<S> {
  /** Stable, kebab-case. */
  readonly id: string;
  /** The requirement, without its subject: `returns null without a job`. */
  readonly title: string;
  /** Resolves when the requirement is met. Otherwise throws an error that explains the violation. */
  run(subject: S): Promise<void>;
}
