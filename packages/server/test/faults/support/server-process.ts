import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@trove/test-support/waiting.js';

const bin = fileURLToPath(new URL('../../../bin/trove-server.js', import.meta.url));

export const token = 'known-to-the-tests';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `trove-server` in a separate process that may be killed at any moment. */
export class ServerProcess {
  readonly process: ChildProcess;
  readonly exited: Promise<Exit>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^TROVE_(?!TEST_)/.test(name),
    );
    this.process = spawn(process.execPath, [bin, ...args], {
      cwd,
      env: { ...Object.fromEntries(inherited), HOME: cwd, TROVE_API_TOKEN: token, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
    this.process.stderr?.on('data', (text: Buffer) => (this.stderr += text.toString()));
    this.exited = new Promise((resolve) => {
      this.process.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  get running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** The address that a server listens on. */
  async url(): Promise<string> {
    await this.#until(() => this.#address() !== undefined, 'an address');
    return this.#address() ?? '';
  }

  /** Waits until the log contains the words. */
  async logged(words: string): Promise<void> {
    await this.#until(() => this.stderr.includes(words), `the log says ${words}`);
  }

  async end(signal: NodeJS.Signals): Promise<Exit> {
    this.process.kill(signal);
    return this.exited;
  }

  #address(): string | undefined {
    return /listening on (http:\S+)\n/.exec(this.stdout)?.[1];
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    await waitUntil(() => holds() || !this.running, what).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.stderr}`);
    });
    if (!holds()) throw new Error(`the process ended before ${what}:\n${this.stderr}`);
  }
}
