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
 * Builds indices and merges fragments in a process of its own, of low priority: searches keep the processors, and all
 * memory that was needed returns to the system. One task at a time.
 */
export class Builder {
  readonly #lance: LanceModule;
  readonly #place: Omit<BuildRequest, 'task'>;
  readonly #workers: Workers;
  #child: ProcessHandle | undefined;
  /** Which process has only what others leave of the processors. */
  #yielding: ProcessHandle | undefined;
  #isClosed = false;

  constructor(lance: LanceModule, options: DatabaseOptions, name: string, workers: Workers) {
    this.#workers = workers;
    this.#lance = lance;
    this.#place = { options, name };
  }

  /** Returns how many fragments were merged. `table` shows the result. */
  async run(table: Table, task: BuildTask): Promise<number> {
    if (this.#isClosed) throw new Error('The index is closed');
    this.#child ??= this.#start();
    if (this.#child === undefined) return build(this.#lance, table, task);
    const reply = await ask(this.#child, { ...this.#place, task });
    if (!reply.ok) throw new Error(reply.error);
    await table.checkoutLatest();
    return reply.merged;
  }

  /**
   * From now on the process, if there is one, has only what others leave of the processors, until it ends. At low priority alone it
   * delays each step of a search by up to a few milliseconds where Linux lets it end its turn first. Call while many search.
   */
  giveWay(): void {
    const child = this.#child;
    if (child === undefined || child === this.#yielding) return;
    this.#yielding = child;
    child.yieldProcessors();
  }

  /** Gives up what is being built; nothing is built any more. */
  close(): void {
    this.#isClosed = true;
    this.end();
  }

  /** Ends the process, and with it a task in progress; the next task starts another. */
  end(): void {
    void this.#child?.terminate();
    this.#child = undefined;
  }

  /** Undefined where no process can be started: the work is then done in this one. */
  #start(): ProcessHandle | undefined {
    try {
      const child = this.#workers.startProcess(new URL('./builder-entry.js', import.meta.url), {
        priority: 'low',
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

function ask(child: ProcessHandle, request: BuildRequest): Promise<BuildReply> {
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
