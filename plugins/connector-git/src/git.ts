import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';

import { environment } from './environment.js';
import {
  failureOf,
  silenceFailure,
  startFailureOf,
  type Failure,
  type MakeError,
} from './failures.js';
import { reaper } from './reaper.js';
import { Silence } from './silence.js';

const saidAtMost = 8192;
/** The names of a million branches; another host may say anything. */
const textAtMost = 64 * 1024 * 1024;
/** Searching or comparing a very large repository takes a minute or two before the first output. */
const maxSilenceMs = 300_000;
export interface GitOptions {
  readonly signal: AbortSignal;
  /** Exit codes that are no failure. Default: 0. */
  readonly fine?: readonly number[];
  /** What git is given to read. */
  readonly input?: string | Uint8Array;
  /** Variables that this call needs besides. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** A running git, and what it says about its failure. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Kills it with all that it started. */
  stop(): void;
  /** Rejects when git cannot be started, or ends with another code than the fine ones. */
  readonly ended: Promise<void>;
  /** Ends git after too long a silence, which makes `ended` reject. */
  readonly silence: Silence;
}

export interface GitSettings {
  /** What it means that git says when it fails. */
  readonly meaningOf?: (said: string) => Failure;
  /** Variables of all calls. */
  readonly environment?: NodeJS.ProcessEnv;
  /** How long git may compute without output. */
  readonly maxSilenceMs?: number;
}

/** Runs git, never through a shell. */
export class Git {
  readonly #error: MakeError;
  readonly #meaningOf: (said: string) => Failure;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #maxSilenceMs: number;

  constructor(error: MakeError, settings: GitSettings = {}) {
    this.#error = error;
    this.#meaningOf = settings.meaningOf ?? failureOf;
    this.#environment = settings.environment ?? {};
    this.#maxSilenceMs = settings.maxSilenceMs ?? maxSilenceMs;
  }

  start(args: readonly string[], { signal, fine = [0], environment: more }: GitOptions): Running {
    signal.throwIfAborted();
    reaper?.prepare();
    const child = spawn('git', ['--no-pager', ...args], {
      cwd: '/',
      env: environment({ ...this.#environment, ...more }),
      stdio: 'pipe',
      detached: reaper !== null,
      windowsHide: true,
    });
    if (child.pid !== undefined) reaper?.start(child.pid);
    const stop = (): void => killGroup(child);
    let isSilent = false;
    const silence = new Silence(this.#maxSilenceMs, () => {
      isSilent = true;
      stop();
    });
    signal.addEventListener('abort', stop, { once: true });
    const ended = this.#endOf(child, fine, () => isSilent).finally(() => {
      silence.end();
      if (child.pid !== undefined) reaper?.end(child.pid);
      signal.removeEventListener('abort', stop);
    });
    // Whoever reads the output may leave before it ends.
    ended.catch(() => undefined);
    return { child, ended, stop, silence };
  }

  /** What git prints, as the caller takes it; git is stopped when the caller leaves. */
  async *bytes(args: readonly string[], options: GitOptions): AsyncGenerator<Buffer> {
    const { child, ended, stop, silence } = this.start(args, options);
    child.stdin.end(options.input ?? '');
    try {
      for await (const piece of child.stdout) {
        silence.pause();
        yield Buffer.from(piece);
        silence.wait();
      }
      options.signal.throwIfAborted();
      await ended;
    } finally {
      stop();
    }
    options.signal.throwIfAborted();
  }

  /** All that git prints; for what is short. Throws `connector_unhealthy` for more than 64 MiB. */
  async text(args: readonly string[], options: GitOptions): Promise<string> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of this.bytes(args, options)) {
      size += piece.length;
      if (size > textAtMost)
        throw this.#error(
          'connector_unhealthy',
          `Git says more than ${textAtMost} bytes: that cannot be held.`,
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
      if (said.length < saidAtMost) said += piece;
    });
    child.stdin.on('error', () => undefined);
    const started = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      child.once('spawn', () => resolve(null)).once('error', resolve);
    });
    if (started !== null) throw this.#failed(startFailureOf(started.code), started);
    const [code] = await once(child, 'close');
    if (isSilent()) throw this.#failed(silenceFailure(this.#maxSilenceMs), new Error(said));
    if (typeof code === 'number' && fine.includes(code)) return;
    throw this.#failed(this.#meaningOf(said), new Error(said));
  }

  #failed({ detail, suggestions, passes = false }: Failure, cause: Error): Error {
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
