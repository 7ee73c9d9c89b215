import { spawn } from 'node:child_process';

const maxStderrChars = 2000;

export interface ProgramOptions {
  /** The text for its standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It is killed when this signal aborts. */
  readonly signal: AbortSignal;
}

export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly code: number | null;
  /** The end of its standard error, at most 2,000 characters. */
  readonly stderr: string;
}

/** Runs a program of the operator without a shell. Rejects if it cannot be started. Its standard output is ignored. */
export function runProgram(
  [file = '', ...args]: readonly string[],
  { input, env, signal }: ProgramOptions,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      env,
      signal,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (stderr = (stderr + text).slice(-maxStderrChars)));
    // A program need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', reject);
    // A process that the program left running may keep its standard error open.
    child.on('exit', (code) => {
      child.stderr.destroy();
      resolve({ code, stderr: stderr.trim() });
    });
  });
}
