import { randomBytes } from 'node:crypto';
import type { WorkerLeases } from '@trove/core/store';
import { isAlive, readProcessSpace } from '@trove/runtime';

/** A unique worker name that also identifies its process. */
export async function newWorkerName(machineId: string): Promise<string> {
  return `${await readProcessSpace(machineId)}/${process.pid}/${randomBytes(6).toString('hex')}`;
}

/** Releases the leases of dead workers on this machine. Other workers then need not wait for their expiry. */
export async function releaseDeadWorkers(leases: WorkerLeases, machineId: string): Promise<void> {
  for (const worker of await deadWorkers(await leases.holders(), machineId)) {
    await leases.release(worker, { died: true });
  }
}

/** Returns the workers whose process on this machine has ended. */
async function deadWorkers(names: readonly string[], machineId: string): Promise<string[]> {
  const here = await readProcessSpace(machineId);
  return names.filter((name) => {
    const [space, pid] = name.split('/');
    return space === here && pid !== String(process.pid) && !isAlive(Number(pid));
  });
}
