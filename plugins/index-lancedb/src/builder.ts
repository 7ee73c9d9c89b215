import { execFile, fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Table } from '@lancedb/lancedb';
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

/** How long a process that is to end may take for that. */
const END_MS = 2000;

/**
 * Builds indices and merges fragments in a process of its own, of low priority: searches keep the processors, and all
 * memory that was needed returns to the system. One task at a time.
 */
export class Builder {
  readonly #lance: LanceModule;
  readonly #place: Omit<BuildRequest, 'task'>;
  #child: ChildProcess | undefined;
  /** Which process has only what others leave of the processors. */
  #yielding: ChildProcess | undefined;
  #isClosed = false;

  constructor(lance: LanceModule, options: DatabaseOptions, name: string) {
    this.#lance = lance;
    this.#place = { options, name };
  }

  /** Returns how many fragments were merged. `table` shows the result. */
  async run(table: Table, task: BuildTask): Promise<number> {
    if (!this.#isClosed) this.#child ??= await start();
    if (this.#isClosed) {
      this.end();
      throw new Error('The index is closed');
    }
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
    if (child?.pid === undefined || child === this.#yielding) return;
    this.#yielding = child;
    // Part of every Linux; where it is not, low priority has to do.
    const ofAllThreads = ['--all-tasks', '--idle', '--pid', '0', String(child.pid)];
    execFile('chrt', ofAllThreads, () => undefined);
  }

  /** Gives up what is being built; nothing is built any more. */
  close(): void {
    this.#isClosed = true;
    this.end();
  }

  /** Ends the process, and with it a task in progress; the next task starts another. */
  end(): void {
    const child = this.#child;
    this.#child = undefined;
    // It then removes what it has written beside the table, and kills itself.
    if (child?.connected === true) child.disconnect();
    setTimeout(() => child?.kill('SIGKILL'), END_MS).unref();
  }
}

/** Undefined where no process can be started: the work is then done in this one. */
async function start(): Promise<ChildProcess | undefined> {
  // What the native library sorts outside of memory stays behind when it is stopped, so it gets a folder for that.
  const folder = await mkdtemp(join(tmpdir(), 'trove-index-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  const remove = (): void =>
    void rm(folder, { recursive: true, force: true }).catch(() => undefined);
  try {
    const child = fork(fileURLToPath(new URL('./builder-entry.js', import.meta.url)), [folder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...nativeSettings, ...process.env, TMPDIR: folder, TMP: folder, TEMP: folder },
      ...(isGivenAsText() ? { execArgv: [] } : {}),
    });
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.once('exit', remove);
    return child;
  } catch {
    remove();
    return undefined;
  }
}

function ask(child: ChildProcess, request: BuildRequest): Promise<BuildReply> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('The process that builds indices has ended'));
    child.once('exit', ended);
    child.once('message', (reply: BuildReply) => {
      child.off('exit', ended);
      resolve(reply);
    });
    child.send(request, (error) => {
      if (error !== null) reject(error);
    });
  });
}

/** Options for a program given as text (`node -e`) do not apply to the process's own file. */
function isGivenAsText(): boolean {
  return process.execArgv.some((option) => option.startsWith('--input-type'));
}
