import type { Table } from '@lancedb/lancedb';
import type { ProcessHandle, Workers } from '@trove/core/workers';
import { build, type BuildTask } from './build-tasks.js';
import type { LanceModule } from './lance.js';
import { nativeSettings } from './native-settings.js';
import type { DatabaseOptions } from './location.js';

export interface BuildRequest {
  readonly options: DatabaseOptions;
  /** Of the table. */
  readonly name: string;
  readonly task: BuildTask;
}

export type BuildReply =
  | { readonly ok: true; readonly merged: number }
  | { readonly ok: false; readonly error: string };

/**
 * How long a task may get only the processor time that searches leave. On a machine that is always busy it would never end,
 * and every search compares the rows that no index has yet.
 */
const maxYieldMs = 10_000;

/**
 * Builds indices and merges fragments in a process of its own, of low priority: searches keep the processors, and all
 * memory that was needed returns to the system. One task at a time.
 */
export class Builder {
  readonly #lance: LanceModule;
  readonly #place: Omit<BuildRequest, 'task'>;
  readonly #workers: Workers;
  readonly #maxYieldMs: number;
  #child: ProcessHandle | undefined;
  /** The process that gets only the processor time that others leave. */
  #yielding: ProcessHandle | undefined;
  #patience: NodeJS.Timeout | undefined;
  /** Whether the task has yielded for long enough: its process has normal priority, and does not yield. */
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
    this.#place = { options, name };
    this.#workers = workers;
    this.#maxYieldMs = yieldMs;
  }

  /** Returns how many fragments were merged. `table` shows the result. */
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
   * From now on the process, if there is one, gets only the processor time that others leave. At low priority alone it
   * delays each step of a search by up to a few milliseconds where Linux lets it end its turn first. A task that does not
   * end within 10 s starts again with normal priority. Call while many search.
   */
  lowerPriority(): void {
    const child = this.#child;
    if (child === undefined || child === this.#yielding || this.#isUrgent) return;
    this.#yielding = child;
    child.yieldProcessors();
    this.#patience = setTimeout(() => {
      this.#isUrgent = true;
      this.#stop();
    }, this.#maxYieldMs).unref();
  }

  /** Gives up what is being built; nothing is built any more. */
  close(): void {
    this.#isClosed = true;
    this.end();
  }

  /** Ends the process, and with it a task in progress; the next task starts another. */
  end(): void {
    this.#isUrgent = false;
    this.#stop();
  }

  async #run(table: Table, task: BuildTask): Promise<number> {
    this.#child ??= this.#start();
    if (this.#child === undefined) return build(this.#lance, table, task);
    const reply = await requestBuild(this.#child, { ...this.#place, task });
    if (!reply.ok) throw new Error(reply.error);
    await table.checkoutLatest();
    return reply.merged;
  }

  #stop(): void {
    clearTimeout(this.#patience);
    void this.#child?.terminate();
    this.#child = undefined;
  }

  /** Undefined where no process can be started: the work is then done in this one. */
  #start(): ProcessHandle | undefined {
    try {
      const child = this.#workers.startProcess(new URL('./builder-entry.js', import.meta.url), {
        priority: this.#isUrgent ? 'normal' : 'low',
        stderr: 'inherit',
        env: { ...nativeSettings, ...process.env },
        // What the native library sorts outside of memory stays behind when it is stopped.
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
