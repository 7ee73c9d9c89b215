import type { MetadataStore } from '@trove/core/store';

import type { openTasks, Metadata, StoredJob } from '../../../src/memory/metadata/data.js';

/** Makes the wrong part of a store out of a good one and the data below it. */
export type Mutant = (good: MetadataStore, data: Metadata) => Partial<MetadataStore>;

export type Mutants = Readonly<Record<string, Mutant>>;

export function isQueued(job: StoredJob): boolean {
  return job.status === 'queued';
}

export function tasksOf(data: Metadata): ReturnType<typeof openTasks> {
  return [...data.jobs.values()].flatMap((job) => [...job.tasks.values()]);
}

/** Calls that come while one is running get its result. */
export function sharing<A extends readonly unknown[], R>(
  call: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  let running: Promise<R> | undefined;
  return (...args) => {
    running ??= call(...args).finally(() => {
      running = undefined;
    });
    return running;
  };
}
