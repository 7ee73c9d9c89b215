import type { MetadataStore } from '@trove/core';
import { deadWorkers } from './worker-name.js';

/** Releases what dead workers of this machine still hold, so that nobody waits for their leases to expire. */
export async function releaseDeadWorkers(store: MetadataStore, machineId: string): Promise<void> {
  for (const worker of await deadWorkers(await store.leaseHolders(), machineId)) {
    await store.releaseWorker(worker, { died: true });
  }
}
