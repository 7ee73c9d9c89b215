import { readlink } from 'node:fs/promises';

/**
 * Returns an id of the scope in which process ids are unique: the machine and, in a container, its PID
 * namespace.
 */
export async function readProcessSpace(machineId: string): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${machineId.slice(0, 16)}${namespace.replace(/\D/g, '')}`;
}

/** Whether a process with this id exists in this PID namespace. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
