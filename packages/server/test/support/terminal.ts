import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { waitUntil } from '@trove/test-support/waiting.js';

const bin = fileURLToPath(new URL('../../bin/trove-server.js', import.meta.url));

/** Whether `script` of util-linux, which provides a terminal, is available. */
export const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

export const keys = {
  enter: '\r',
  up: '\u001b[A',
  down: '\u001b[B',
  space: ' ',
  interrupt: '\u0003',
} as const;

/** `trove-server` on a terminal, with a user who answers each question after it appears. */
export class Terminal {
  readonly #process: ChildProcess;
  readonly exited: Promise<number | null>;
  #shown = '';
  #seen = 0;

  constructor(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TROVE_'));
    const command = [process.execPath, bin, ...args].map(quoted).join(' ');
    // A terminal without a width wraps after each letter.
    this.#process = spawn('script', ['-qec', `stty cols 160 rows 50; ${command}`, '/dev/null'], {
      cwd,
      env: { ...Object.fromEntries(inherited), TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#process.stdout?.on('data', (text: Buffer) => (this.#shown += text.toString()));
    this.exited = new Promise((resolve) => this.#process.once('close', resolve));
  }

  /** Everything shown so far. */
  get shown(): string {
    return stripVTControlCharacters(this.#shown);
  }

  /** Waits until a new text appears, then types. */
  async answer(question: string, ...typed: readonly string[]): Promise<void> {
    await this.#sees(question);
    for (const key of typed) this.#process.stdin?.write(key);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  async #sees(text: string): Promise<void> {
    const at = (): number => this.shown.indexOf(text, this.#seen);
    await waitUntil(() => at() >= 0 || this.#process.exitCode !== null, `"${text}"`).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}\n${this.shown.slice(this.#seen)}`);
      },
    );
    if (at() < 0) throw new Error(`it ended without "${text}":\n${this.shown}`);
    this.#seen = at() + text.length;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
