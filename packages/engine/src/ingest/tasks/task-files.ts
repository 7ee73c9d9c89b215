import { LoggerToken, createToken, inject, injectable } from '@trove/core/di';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@trove/core';
import type { JobQueue, TaskRecord } from '@trove/core/store';
import { TaskFolderToken } from '../../tokens.js';

/** The token of `TaskFiles` in an engine's container. */
export const TaskFilesToken = createToken<TaskFiles>('engine.task_files');

const maxFileBytes = 1024 ** 3;
/** The limit of the files of all tasks, including paused ones. */
const maxFolderBytes = 4 * 1024 ** 3;

/** A file for data that a task can also read from its source again. It may vanish at any time. */
export interface TaskFile {
  /** Absolute. Null: the task has only memory. */
  readonly path: string | null;
  /** Returns the number of bytes that the file may have. */
  maxBytes(): Promise<number>;
  /** Logs why the file is incomplete. */
  warn(reason: string): void;
}

type TaskIds = Pick<TaskRecord, 'jobId' | 'id'>;

/** The files of unfinished tasks: one folder for each job of a database. They survive pauses and crashes. */
@injectable()
export class TaskFiles {
  readonly #folder: string | null;
  readonly #logger: Logger;

  /** Null: tasks have no files. */
  constructor(@inject(TaskFolderToken) folder: string | null, @inject(LoggerToken) logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  /** Returns the file of a task, which need not exist. */
  of({ jobId, id, path: object }: TaskIds & Pick<TaskRecord, 'path'>): TaskFile {
    const path = this.#folder === null ? null : join(this.#folder, jobId, `${id}.jsonl`);
    return {
      path,
      maxBytes: async () => {
        const others = this.#folder === null ? 0 : await bytesIn(this.#folder, path);
        return Math.max(0, Math.min(maxFileBytes, maxFolderBytes - others));
      },
      warn: (reason) =>
        this.#logger.warn('conversations do not fit into the task folder and are read one by one', {
          job: jobId,
          object,
          reason,
        }),
    };
  }

  async remove({ jobId, id }: TaskIds): Promise<void> {
    if (this.#folder !== null) await rm(join(this.#folder, jobId, `${id}.jsonl`), { force: true });
  }

  async removeJob(jobId: string): Promise<void> {
    if (this.#folder !== null)
      await rm(join(this.#folder, jobId), { recursive: true, force: true });
  }

  /** Deletes the files of jobs that have ended, such as after a crash or on another machine. */
  async sweep(jobs: Pick<JobQueue, 'get'>): Promise<void> {
    if (this.#folder === null) return;
    for (const jobId of await readdir(this.#folder).catch(() => [])) {
      const job = await jobs.get(jobId);
      if (job === null || job.finishedAt !== null) await this.removeJob(jobId);
    }
  }
}

/** Returns the size of all files two levels below a folder, except one. */
async function bytesIn(folder: string, except: string | null): Promise<number> {
  let bytes = 0;
  for (const job of await readdir(folder).catch(() => []))
    for (const name of await readdir(join(folder, job)).catch(() => [])) {
      const path = join(folder, job, name);
      // A task may remove its file at any time.
      if (path !== except) bytes += (await stat(path).catch(() => null))?.size ?? 0;
    }
  return bytes;
}
