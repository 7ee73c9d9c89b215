import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';

import { environment, settings } from './environment.js';
import { failureOf, startFailureOf, type Failure, type MakeError } from './failures.js';

const saidAtMost = 8192;
/** The names of a million branches; another host may say anything. */
const textAtMost = 64 * 1024 * 1024;

export interface GitOptions {
  readonly signal: AbortSignal;
  /** Exit codes that are no failure. Default: 0. */
  readonly fine?: readonly number[];
  /** What git is given to read. */
  readonly input?: string;
  /** Whether git starts programs that may wait for others; they are stopped with it. */
  readonly hasHelpers?: boolean;
  /** Variables that this call needs besides. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** A running git, and what it says about its failure. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  stop(): void;
  /** Rejects when git cannot be started, or ends with another code than the fine ones. */
  readonly ended: Promise<void>;
}

/** Runs git, never through a shell. */
export class Git {
  readonly #error: MakeError;
  readonly #meaningOf: (said: string) => Failure;

  /** `meaningOf`: what it means that git says when it fails. */
  constructor(error: MakeError, meaningOf: (said: string) => Failure = failureOf) {
    this.#error = error;
    this.#meaningOf = meaningOf;
  }

  start(
    args: readonly string[],
    { signal, fine = [0], environment: more, hasHelpers = false }: GitOptions,
  ): Running {
    signal.throwIfAborted();
    const child = spawn('git', ['--no-pager', ...settings, ...args], {
      cwd: '/',
      env: environment(more),
      stdio: 'pipe',
      detached: hasHelpers,
      windowsHide: true,
    });
    const stop = (): void => {
      if (hasHelpers) killGroup(child);
      else child.kill('SIGKILL');
    };
    signal.addEventListener('abort', stop, { once: true });
    const ended = this.#endOf(child, fine).finally(() => signal.removeEventListener('abort', stop));
    // Whoever reads the output may leave before it ends.
    ended.catch(() => undefined);
    return { child, ended, stop };
  }

  /** What git prints, as the caller takes it; git is stopped when the caller leaves. */
  async *bytes(args: readonly string[], options: GitOptions): AsyncGenerator<Buffer> {
    const { child, ended, stop } = this.start(args, options);
    child.stdin.end(options.input ?? '');
    try {
      for await (const piece of child.stdout) yield Buffer.from(piece);
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

  async #endOf(child: ChildProcessWithoutNullStreams, fine: readonly number[]): Promise<void> {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      if (said.length < saidAtMost) said += piece;
    });
    child.stdin.on('error', () => undefined);
    const started = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      child.once('spawn', () => resolve(null)).once('error', resolve);
    });
    if (started !== null) {
      const { detail, suggestions } = startFailureOf(started);
      throw this.#error('connector_unhealthy', detail, { suggestions, cause: started });
    }
    const [code] = await once(child, 'close');
    if (typeof code === 'number' && fine.includes(code)) return;
    const { detail, suggestions, passes = false } = this.#meaningOf(said);
    throw this.#error('connector_unhealthy', detail, {
      suggestions,
      retryable: passes,
      cause: new Error(said),
    });
  }
}

/** While it runs, or has not been waited for, its id is no other process's. */
function killGroup({ pid, exitCode, signalCode }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended in this moment.
  }
}
