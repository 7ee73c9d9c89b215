import { randomBytes } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import type { MetadataStore } from '@trove/core';

/** The scope in which process ids are unique: the machine and, in a container, its PID namespace. */
async function processSpace(machineId: string): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${machineId.slice(0, 16)}${namespace.replace(/\D/g, '')}`;
}

/** A unique worker name that also identifies its process. */
export async function newWorkerName(machineId: string): Promise<string> {
  return `${await processSpace(machineId)}/${process.pid}/${randomBytes(6).toString('hex')}`;
}

/** Releases what dead workers of this machine still hold, so that nobody waits for their leases to expire. */
export async function releaseDeadWorkers(store: MetadataStore, machineId: string): Promise<void> {
  for (const worker of await deadWorkers(await store.leaseHolders(), machineId)) {
    await store.releaseWorker(worker, { died: true });
  }
}

/** Those of the named workers whose process on this machine is gone: nobody will renew their leases. */
async function deadWorkers(names: readonly string[], machineId: string): Promise<string[]> {
  const here = await processSpace(machineId);
  return names.filter((name) => {
    const [space, pid] = name.split('/');
    return space === here && pid !== String(process.pid) && !isAlive(Number(pid));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
