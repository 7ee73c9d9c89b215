import type { Table } from '@lancedb/lancedb';
import type { ProcessHandle, Workers } from '@trove/core/workers';
import { build, type BuildTask } from './build-tasks.js';
import type { LanceModule } from './lance.js';
import { nativeSettings } from './native-settings.js';
import type { DatabaseOptions } from './location.js';

export interface BuildRequest {
  readonly options: DatabaseOptions;
  /** The name of the table. */
  readonly name: string;
  readonly task: BuildTask;
}

export type BuildReply =
  | { readonly ok: true; readonly merged: number }
  | { readonly ok: false; readonly error: string };

/**
 * How long a task may run with idle priority only. On a busy machine it would never end, and every search would compare
 * the unindexed rows.
 */
const maxYieldMs = 10_000;

/**
 * Builds indices and merges fragments in a separate process with low priority. Searches keep the processors, and the
 * process returns all its memory. Runs one task at a time.
 */
export class Builder {
  readonly #lance: LanceModule;
  readonly #location: Omit<BuildRequest, 'task'>;
  readonly #workers: Workers;
  readonly #maxYieldMs: number;
  #child: ProcessHandle | undefined;
  /** The process that runs with idle priority. */
  #yielding: ProcessHandle | undefined;
  #yieldTimer: NodeJS.Timeout | undefined;
  /** Whether the task has yielded long enough. Its process has normal priority and does not yield. */
  #isUrgent = false;
  #isClosed = false;

  constructor(
    lance: LanceModule,
    options: DatabaseOptions,
    name: string,
    workers: Workers,
    yieldMs = maxYieldMs,
  ) {
    this.#lance = lance;
    this.#location = { options, name };
    this.#workers = workers;
    this.#maxYieldMs = yieldMs;
  }

  /** Returns the number of merged fragments. `table` shows the result. */
  async run(table: Table, task: BuildTask): Promise<number> {
    if (this.#isClosed) throw new Error('The index is closed');
    const wasUrgent = this.#isUrgent;
    try {
      return await this.#run(table, task);
    } catch (error) {
      const isStarved = this.#isUrgent && !wasUrgent;
      if (!isStarved || this.#isClosed) throw error;
      return this.#run(table, task);
    }
  }

  /**
   * Gives the current and later processes idle priority. With low priority alone, a process delays each step of a
   * search by up to a few milliseconds on some Linux kernels. A task that does not end within 10 s restarts with normal
   * priority. Call while many searches run.
   */
  lowerPriority(): void {
    const child = this.#child;
    if (child === undefined || child === this.#yielding || this.#isUrgent) return;
    this.#yielding = child;
    child.yieldProcessors();
    this.#yieldTimer = setTimeout(() => {
      this.#isUrgent = true;
      this.#stop();
    }, this.#maxYieldMs).unref();
  }

  /** Cancels the current build. Later builds are rejected. */
  close(): void {
    this.#isClosed = true;
    this.end();
  }

  /** Ends the process and its current task. The next task starts another process. */
  end(): void {
    this.#isUrgent = false;
    this.#stop();
  }

  async #run(table: Table, task: BuildTask): Promise<number> {
    this.#child ??= this.#start();
    if (this.#child === undefined) return build(this.#lance, table, task);
    const reply = await requestBuild(this.#child, { ...this.#location, task });
    if (!reply.ok) throw new Error(reply.error);
    await table.checkoutLatest();
    return reply.merged;
  }

  #stop(): void {
    clearTimeout(this.#yieldTimer);
    void this.#child?.terminate();
    this.#child = undefined;
  }

  /** Returns undefined where no process can be started. The work then runs in this process. */
  #start(): ProcessHandle | undefined {
    try {
      const child = this.#workers.startProcess(new URL('./builder-entry.js', import.meta.url), {
        priority: this.#isUrgent ? 'normal' : 'low',
        stderr: 'inherit',
        env: { ...nativeSettings, ...process.env },
        // A stopped native library leaves its temporary sort files behind.
        hasTempFolder: true,
      });
      return child.pid === undefined ? undefined : child;
    } catch {
      return undefined;
    }
  }
}

function requestBuild(child: ProcessHandle, request: BuildRequest): Promise<BuildReply> {
  child.ref();
  return new Promise<BuildReply>((resolve, reject) => {
    child.listen({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `builder-entry.ts` sends nothing else
      message: (reply) => resolve(reply as BuildReply),
      ended: () => reject(new Error('The process that builds indices has ended')),
    });
    child.postMessage(request);
  }).finally(() => {
    child.listen(null);
    child.unref();
  });
}
