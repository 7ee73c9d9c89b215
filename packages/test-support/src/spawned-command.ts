import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitUntil } from './waiting.js';

/** The program `trove-server` of this repository. */
export const serverProgram = fileURLToPath(
  new URL('../../server/bin/trove-server.js', import.meta.url),
);

/** A `trove-server` process, with what it has printed. */
export class SpawnedCommand {
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
  printed = '';

  constructor(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TROVE_'));
    this.process = spawn(program, args, { env: { ...Object.fromEntries(inherited), ...env } });
    const keep = (text: Buffer): void => void (this.printed += text.toString());
    this.process.stdout?.on('data', keep);
    this.process.stderr?.on('data', keep);
    this.ended = new Promise((resolve) => this.process.once('close', resolve));
  }

  /** Waits until a pattern is printed. Returns its first group. */
  async sees(pattern: RegExp): Promise<string> {
    const hasEnded = (): boolean => this.process.exitCode !== null;
    await waitUntil(() => pattern.test(this.printed) || hasEnded(), String(pattern));
    const [, found] = pattern.exec(this.printed) ?? [];
    if (found === undefined)
      throw new Error(`it ended without ${String(pattern)}: ${this.printed}`);
    return found;
  }

  /** Waits for the address of the page on which a user logs in. */
  pageUrl(): Promise<string> {
    return this.sees(/^ {2}(http\S+\/auth\w*\?\S+)/m);
  }
}
