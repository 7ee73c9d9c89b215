import { TroveError } from '@trove/core';
import type { Collection } from '@trove/core/index';
import type { MetadataStore, TransformationCache } from '@trove/core/store';
import type { DiskUse, DiskUseService } from './disk-use.js';

/** What there was before and what is left, in bytes. */
export interface CompactionResult {
  readonly before: DiskUse;
  readonly after: DiskUse;
}

/** What is compacted; `tidy` drops what is not kept any more. */
export interface CompactionTargets {
  readonly store: Pick<MetadataStore, 'compact' | 'jobs'>;
  readonly collection: Collection;
  readonly cache: TransformationCache | null;
  readonly diskUse: DiskUseService;
  readonly tidy: () => Promise<unknown>;
}

/**
 * Gives back the space of what was deleted. Servers may go on meanwhile: what writes to a database that is being rewritten
 * waits. Throws `sync_already_running` while a job runs: it would wait too long.
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
