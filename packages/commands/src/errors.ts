/** Ends a command: what happened, what can be done, and the matching exit code. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: number = 1;
  readonly code: string;
  readonly suggestions: readonly string[];

  constructor(code: string, detail: string, suggestions: readonly string[] = []) {
    super(detail);
    this.code = code;
    this.suggestions = suggestions;
  }
}

export const usageExitCode = 2;

/** An invalid command line. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
  override readonly exitCode = usageExitCode;

  constructor(detail: string, suggestions: readonly string[] = []) {
    super('usage', detail, suggestions);
  }
}

/** Ends a command with an exit code when everything has already been said. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}
