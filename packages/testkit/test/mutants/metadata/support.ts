import type { MetadataStore } from '@trove/core/store';

import type { MetadataStorePart } from '../../../src/index.js';
import type { openTasks, Metadata, StoredJob } from '../../../src/memory/metadata/data.js';

/** The methods of a store that are wrong. */
export type WrongMethods = Partial<Omit<MetadataStore, MetadataStorePart>> & {
  readonly [P in MetadataStorePart]?: Partial<MetadataStore[P]>;
};

/** Makes the wrong methods of a store out of a good one and the data below it. */
export type Mutant = (good: MetadataStore, data: Metadata) => WrongMethods;

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
