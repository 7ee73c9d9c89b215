export interface PromptChoice<T extends string> {
  readonly value: T;
  readonly label?: string;
  readonly hint?: string;
}

/** Questions on a terminal. Each throws `WizardCancelledError` when the user cancels. */
export interface Prompts {
  /** `check` returns the problem of an answer, or undefined. */
  text(
    message: string,
    options?: { initial?: string; check?: (text: string) => string | undefined },
  ): Promise<string>;
  password(message: string, check?: (text: string) => string | undefined): Promise<string>;
  confirm(message: string, initial?: boolean): Promise<boolean>;
  choose<T extends string>(
    message: string,
    choices: readonly PromptChoice<T>[],
    initial?: T,
  ): Promise<T>;
  several<T extends string>(
    message: string,
    choices: readonly PromptChoice<T>[],
    initial?: readonly T[],
  ): Promise<T[]>;
  say(text: string): void;
  warn(text: string): void;
}

export class WizardCancelledError extends Error {
  override readonly name = 'WizardCancelled';
}
