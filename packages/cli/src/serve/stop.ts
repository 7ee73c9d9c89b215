import { setTimeout as sleep } from 'node:timers/promises';

import { Failure } from '@trove/commands';
import { messageOf } from '../session/system-errors.js';
import { processIdentity } from './processes.js';
import { forgetRecord, type ServerRecord } from './record.js';

const GRACE_MS = 15_000;
const KILL_MS = 5000;
const POLL_MS = 50;

/** Asks a server to stop and waits; kills it after 15 s. Returns whether it stopped by itself. */
export async function stopServer(
  home: string,
  record: ServerRecord,
  graceMs: number = GRACE_MS,
): Promise<boolean> {
  send(record, 'SIGTERM');
  const graceful = await ended(record, graceMs);
  if (!graceful) {
    send(record, 'SIGKILL');
    if (!(await ended(record, KILL_MS))) {
      throw new Failure('stop_failed', `process ${record.pid} does not end`);
    }
  }
  forgetRecord(home);
  return graceful;
}

function send({ pid, identity }: ServerRecord, signal: NodeJS.Signals): void {
  if (processIdentity(pid) !== identity) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It may have just ended.
    if (processIdentity(pid) !== identity) return;
    throw new Failure('stop_failed', `process ${pid} cannot be stopped: ${messageOf(error)}`);
  }
}

async function ended({ pid, identity }: ServerRecord, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (processIdentity(pid) === identity) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
