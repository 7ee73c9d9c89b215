import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError } from '@trove/commands';
import { errorCode, readFileIfAny } from '../session/system-errors.js';
import { serveFiles } from './files.js';
import { processIdentity } from './processes.js';

const maxWaitMs = 90_000;
const pollMs = 100;

/** Allows one start or stop of the server at a time. */
export async function withLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  const { lock } = serveFiles(home);
  const deadline = performance.now() + maxWaitMs;
  while (!acquire(lock)) {
    if (performance.now() > deadline) {
      throw new CommandError('busy', 'another `trove serve` command is running', [
        `Wait until it ends, or end its process. Its id is in ${lock}.`,
      ]);
    }
    await sleep(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function acquire(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid} ${processIdentity(process.pid)}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw new CommandError('home_unwritable', `cannot write ${lock} (${errorCode(error)})`, [
        'Make the folder writable, or choose another one with TROVE_HOME.',
      ]);
    }
  }
  if (isAbandoned(lock)) rmSync(lock, { force: true });
  return false;
}

function isAbandoned(lock: string): boolean {
  const holder = readFileIfAny(lock);
  // Another process is writing an empty file.
  if (holder === undefined || holder === '') return false;
  const [pid = '', ...identity] = holder.split(' ');
  return processIdentity(Number(pid)) !== identity.join(' ');
}
