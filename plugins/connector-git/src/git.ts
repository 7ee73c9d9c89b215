import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';

import { gitEnvironment } from './git-environment.js';
import {
  failureOf,
  timeoutFailure,
  startFailureOf,
  type GitFailure,
  type GitErrorFactory,
} from './failures.js';
import { reaper } from './reaper.js';
import { OutputTimeout } from './output-timeout.js';

const maxStderrChars = 8192;
/** The names of a million branches; another host may say anything. */
const maxTextBytes = 64 * 1024 * 1024;
/** Searching or comparing a very large repository takes a minute or two before the first output. */
const maxSilenceMs = 300_000;
export interface GitCallOptions {
  readonly signal: AbortSignal;
  /** Exit codes that are no failure. Default: 0. */
  readonly acceptedCodes?: readonly number[];
  /** What git is given to read. */
  readonly input?: string | Uint8Array;
  /** Variables that this call needs besides. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** A running git, and what it says about its failure. */
export interface GitProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Kills it with all that it started. */
  stop(): void;
  /** Rejects when git cannot be started, or ends with another code than the fine ones. */
  readonly ended: Promise<void>;
  /** Ends git after too long a silence, which makes `ended` reject. */
  readonly timeout: OutputTimeout;
}

export interface GitSettings {
  /** What it means that git says when it fails. */
  readonly failureOf?: (said: string) => GitFailure;
  /** Variables of all calls. */
  readonly environment?: NodeJS.ProcessEnv;
  /** How long git may compute without output. */
  readonly maxSilenceMs?: number;
}

/** Runs git, never through a shell. */
export class Git {
  readonly #error: GitErrorFactory;
  readonly #meaningOf: (said: string) => GitFailure;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #maxSilenceMs: number;

  constructor(error: GitErrorFactory, settings: GitSettings = {}) {
    this.#error = error;
    this.#meaningOf = settings.failureOf ?? failureOf;
    this.#environment = settings.environment ?? {};
    this.#maxSilenceMs = settings.maxSilenceMs ?? maxSilenceMs;
  }

  start(
    args: readonly string[],
    { signal, acceptedCodes: fine = [0], environment: more }: GitCallOptions,
  ): GitProcess {
    signal.throwIfAborted();
    reaper?.prepare();
    const child = spawn('git', ['--no-pager', ...args], {
      cwd: '/',
      env: gitEnvironment({ ...this.#environment, ...more }),
      stdio: 'pipe',
      detached: reaper !== null,
      windowsHide: true,
    });
    if (child.pid !== undefined) reaper?.start(child.pid);
    const stop = (): void => killGroup(child);
    let isSilent = false;
    const silence = new OutputTimeout(this.#maxSilenceMs, () => {
      isSilent = true;
      stop();
    });
    signal.addEventListener('abort', stop, { once: true });
    const ended = this.#endOf(child, fine, () => isSilent).finally(() => {
      silence.stop();
      if (child.pid !== undefined) reaper?.end(child.pid);
      signal.removeEventListener('abort', stop);
    });
    // Whoever reads the output may leave before it ends.
    ended.catch(() => undefined);
    return { child, ended, stop, timeout: silence };
  }

  /** What git prints, as the caller takes it; git is stopped when the caller leaves. */
  async *bytes(args: readonly string[], options: GitCallOptions): AsyncGenerator<Buffer> {
    const { child, ended, stop, timeout: silence } = this.start(args, options);
    child.stdin.end(options.input ?? '');
    try {
      for await (const piece of child.stdout) {
        silence.pause();
        yield Buffer.from(piece);
        silence.resume();
      }
      options.signal.throwIfAborted();
      await ended;
    } finally {
      stop();
    }
    options.signal.throwIfAborted();
  }

  /** All that git prints; for what is short. Throws `connector_unhealthy` for more than 64 MiB. */
  async text(args: readonly string[], options: GitCallOptions): Promise<string> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of this.bytes(args, options)) {
      size += piece.length;
      if (size > maxTextBytes)
        throw this.#error(
          'connector_unhealthy',
          `Git says more than ${maxTextBytes} bytes: that cannot be held.`,
        );
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
  }

  async #endOf(
    child: ChildProcessWithoutNullStreams,
    fine: readonly number[],
    isSilent: () => boolean,
  ): Promise<void> {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      if (said.length < maxStderrChars) said += piece;
    });
    child.stdin.on('error', () => undefined);
    const started = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      child.once('spawn', () => resolve(null)).once('error', resolve);
    });
    if (started !== null) throw this.#failed(startFailureOf(started.code), started);
    const [code] = await once(child, 'close');
    if (isSilent()) throw this.#failed(timeoutFailure(this.#maxSilenceMs), new Error(said));
    if (typeof code === 'number' && fine.includes(code)) return;
    throw this.#failed(this.#meaningOf(said), new Error(said));
  }

  #failed({ detail, suggestions, retryable: passes = false }: GitFailure, cause: Error): Error {
    return this.#error('connector_unhealthy', detail, { suggestions, retryable: passes, cause });
  }
}

/** While it runs, or has not been waited for, its id is no other process's. */
function killGroup(child: ChildProcessWithoutNullStreams): void {
  const { pid, exitCode, signalCode } = child;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  if (reaper === null) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in this moment.
  }
}
