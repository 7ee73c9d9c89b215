import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@trove/test-support/waiting.js';

const bin = fileURLToPath(new URL('../../bin/trove-server.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The installed command in a separate process. Running it from source would take twice as long. */
export class Command {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TROVE_'));
    this.process = spawn(process.execPath, [bin, ...args], {
      cwd,
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (text: Buffer) => (this.stdout += text.toString()));
    this.process.stderr?.on('data', (text: Buffer) => (this.stderr += text.toString()));
    this.finished = new Promise((resolve) => {
      this.process.once('close', (code) =>
        resolve({ code, stdout: this.stdout, stderr: this.stderr }),
      );
    });
  }

  /** Waits for the address that a server prints. Throws if it ends before. */
  async url(): Promise<string> {
    const printed = () => /listening on (http:\S+)\n/.exec(this.stdout)?.[1];
    await waitUntil(
      () => printed() !== undefined || this.process.exitCode !== null,
      `an address: ${this.stderr}`,
    );
    const url = printed();
    if (url === undefined) throw new Error(`the server ended: ${this.stderr}`);
    return url;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
    this.process.kill(signal);
    return this.finished;
  }
}
