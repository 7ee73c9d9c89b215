import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const server = dirname(fileURLToPath(import.meta.resolve('@trove/server/package.json')));
const bin = join(server, 'bin/trove-server.js');
const startTimeoutMs = 120_000;

/** Runs one `trove-server` and restarts it when it exits, as systemd or Kubernetes would. */
export class Program {
  /** Number of starts. */
  starts = 0;
  #args;
  #environment;
  #child;
  #closed;
  #output = '';
  #stopping = false;

  constructor(args, environment) {
    this.#args = args;
    this.#environment = environment;
    this.#start();
  }

  get pid() {
    return this.#child.pid;
  }

  /** The URL that it listens on, or null. */
  get url() {
    return /listening on (http:\S+)\n/.exec(this.#output)?.[1] ?? null;
  }

  /** Waits until the output matches. Throws with the output after a timeout. */
  async waitForOutput(pattern) {
    const deadline = Date.now() + startTimeoutMs;
    while (!pattern.test(this.#output)) {
      if (Date.now() > deadline) throw new Error(`trove-server does not start:\n${this.#output}`);
      await delay(20);
    }
  }

  /** Kills the process, as the kernel does when memory runs out. */
  kill() {
    this.#child.kill('SIGKILL');
  }

  async stop() {
    this.#stopping = true;
    this.#child.kill('SIGTERM');
    await this.#closed;
  }

  #start() {
    this.starts++;
    this.#output = '';
    const child = spawn(process.execPath, [bin, ...this.#args], {
      env: { ...process.env, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => (this.#output += text));
    }
    child.once('close', () => {
      if (!this.#stopping) this.#start();
    });
    this.#child = child;
    this.#closed = once(child, 'close');
  }
}
