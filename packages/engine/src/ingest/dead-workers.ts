import type { MetadataStore } from '@trove/core';
import { deadWorkers } from './worker-name.js';

/** Takes back what workers of this machine hold whose process is gone, so that nobody waits for their leases. */
export async function releaseDeadWorkers(store: MetadataStore, machineId: string): Promise<void> {
  for (const worker of await deadWorkers(await store.leaseHolders(), machineId)) {
    await store.releaseWorker(worker, { died: true });
  }
}
