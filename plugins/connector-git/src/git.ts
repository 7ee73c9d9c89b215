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
/** Enough for the names of a million branches. A remote host may send any amount. */
const maxTextBytes = 64 * 1024 * 1024;
/** In a very large repository, searches and comparisons take a minute or two before their first output. */
const maxSilenceMs = 300_000;
export interface GitCallOptions {
  readonly signal: AbortSignal;
  /** Exit codes that count as success. Default: 0. */
  readonly acceptedCodes?: readonly number[];
  /** Standard input of git. */
  readonly input?: string | Uint8Array;
  /** Additional variables of this call. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** A running git process. */
export interface GitProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Kills the process and all processes that it started. */
  stop(): void;
  /** Rejects if git cannot be started or ends with a code that is not accepted. */
  readonly ended: Promise<void>;
  /** Kills git after a time without output, which rejects `ended`. */
  readonly timeout: OutputTimeout;
}

export interface GitSettings {
  /** Interprets the error output of git. */
  readonly failureOf?: (stderr: string) => GitFailure;
  /** Additional variables of all calls. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Time that git may run without output. */
  readonly maxSilenceMs?: number;
}

/** Runs git, never through a shell. */
export class Git {
  readonly #error: GitErrorFactory;
  readonly #failureOf: (stderr: string) => GitFailure;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #maxSilenceMs: number;

  constructor(error: GitErrorFactory, settings: GitSettings = {}) {
    this.#error = error;
    this.#failureOf = settings.failureOf ?? failureOf;
    this.#environment = settings.environment ?? {};
    this.#maxSilenceMs = settings.maxSilenceMs ?? maxSilenceMs;
  }

  start(
    args: readonly string[],
    { signal, acceptedCodes = [0], environment }: GitCallOptions,
  ): GitProcess {
    signal.throwIfAborted();
    reaper?.prepare();
    const child = spawn('git', ['--no-pager', ...args], {
      cwd: '/',
      env: gitEnvironment({ ...this.#environment, ...environment }),
      stdio: 'pipe',
      detached: reaper !== null,
      windowsHide: true,
    });
    if (child.pid !== undefined) reaper?.start(child.pid);
    const stop = (): void => killGroup(child);
    let isTimedOut = false;
    const timeout = new OutputTimeout(this.#maxSilenceMs, () => {
      isTimedOut = true;
      stop();
    });
    signal.addEventListener('abort', stop, { once: true });
    const ended = this.#endOf(child, acceptedCodes, () => isTimedOut).finally(() => {
      timeout.stop();
      if (child.pid !== undefined) reaper?.end(child.pid);
      signal.removeEventListener('abort', stop);
    });
    // A reader of the output may stop before git ends.
    ended.catch(() => undefined);
    return { child, ended, stop, timeout };
  }

  /** Streams the output of git. Kills git when the caller stops reading. */
  async *bytes(args: readonly string[], options: GitCallOptions): AsyncGenerator<Buffer> {
    const { child, ended, stop, timeout } = this.start(args, options);
    child.stdin.end(options.input ?? '');
    try {
      for await (const piece of child.stdout) {
        timeout.pause();
        yield Buffer.from(piece);
        timeout.resume();
      }
      options.signal.throwIfAborted();
      await ended;
    } finally {
      stop();
    }
    options.signal.throwIfAborted();
  }

  /** Returns the whole output of git. Throws `connector_unhealthy` above 64 MiB. */
  async text(args: readonly string[], options: GitCallOptions): Promise<string> {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of this.bytes(args, options)) {
      size += piece.length;
      if (size > maxTextBytes)
        throw this.#error(
          'connector_unhealthy',
          `The output of git has more than ${maxTextBytes} bytes.`,
        );
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
  }

  async #endOf(
    child: ChildProcessWithoutNullStreams,
    acceptedCodes: readonly number[],
    isTimedOut: () => boolean,
  ): Promise<void> {
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      if (stderr.length < maxStderrChars) stderr += piece;
    });
    child.stdin.on('error', () => undefined);
    const started = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      child.once('spawn', () => resolve(null)).once('error', resolve);
    });
    if (started !== null) throw this.#failed(startFailureOf(started.code), started);
    const [code] = await once(child, 'close');
    if (isTimedOut()) throw this.#failed(timeoutFailure(this.#maxSilenceMs), new Error(stderr));
    if (typeof code === 'number' && acceptedCodes.includes(code)) return;
    throw this.#failed(this.#failureOf(stderr), new Error(stderr));
  }

  #failed({ detail, suggestions, retryable = false }: GitFailure, cause: Error): Error {
    return this.#error('connector_unhealthy', detail, { suggestions, retryable, cause });
  }
}

/** Kills the process group of a process. The id is not reused before the process is reaped. */
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
    // The group has just ended.
  }
}
