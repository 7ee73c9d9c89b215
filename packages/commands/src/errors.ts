/** An error that ends a command, with suggestions and an exit code. */
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

/** Ends a command with an exit code after it has printed everything. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}
