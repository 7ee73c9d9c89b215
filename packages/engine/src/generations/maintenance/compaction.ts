import { TroveError } from '@trove/core';
import type { Collection } from '@trove/core/index';
import type { MetadataStore, TransformationCache } from '@trove/core/store';
import type { DiskUse, DiskUseService } from './disk-use.js';

/** Disk use before and after, in bytes. */
export interface CompactionResult {
  readonly before: DiskUse;
  readonly after: DiskUse;
}

/** The storage to compact. `tidy` deletes expired data first. */
export interface CompactionTargets {
  readonly store: Pick<MetadataStore, 'compact' | 'jobs'>;
  readonly collection: Collection;
  readonly cache: TransformationCache | null;
  readonly diskUse: DiskUseService;
  readonly tidy: () => Promise<unknown>;
}

/**
 * Releases the space of deleted data. Servers may keep running, but writes to a database wait while it is rewritten. Throws
 * `sync_already_running` while a job runs, because it would wait too long.
 */
export async function compact(targets: CompactionTargets): Promise<CompactionResult> {
  const { store, collection, cache, diskUse, tidy } = targets;
  const [running] = await store.jobs.running();
  if (running !== undefined) {
    throw new TroveError('sync_already_running', `A job is running: ${running.target}`, {
      suggestions: ['Wait until it has ended (`trove job list`), or stop the server.'],
    });
  }
  const before = await diskUse.measure();
  await tidy();
  await store.compact?.();
  await cache?.compact?.();
  await collection.compact?.();
  return { before, after: await diskUse.measure() };
}
