import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError } from '@trove/commands';
import { messageOf } from '../session/system-errors.js';
import { processIdentity } from './processes.js';
import { removeRecord, type ServerRecord } from './record.js';

const defaultGraceMs = 15_000;
const killMs = 5000;
const pollMs = 50;

/** Stops a server, and kills it after 15 s. Returns false if it was killed. */
export async function stopServer(
  home: string,
  record: ServerRecord,
  graceMs: number = defaultGraceMs,
): Promise<boolean> {
  sendSignal(record, 'SIGTERM');
  const graceful = await waitForExit(record, graceMs);
  if (!graceful) {
    sendSignal(record, 'SIGKILL');
    if (!(await waitForExit(record, killMs))) {
      throw new CommandError('stop_failed', `process ${record.pid} does not stop`, [
        'It probably waits for a disk that does not respond. Check the disk, then try again.',
      ]);
    }
  }
  removeRecord(home);
  return graceful;
}

function sendSignal({ pid, identity }: ServerRecord, signal: NodeJS.Signals): void {
  if (processIdentity(pid) !== identity) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process may have just ended.
    if (processIdentity(pid) !== identity) return;
    throw new CommandError('stop_failed', `process ${pid} cannot be stopped: ${messageOf(error)}`, [
      'Run the command as the user that started the server.',
    ]);
  }
}

async function waitForExit({ pid, identity }: ServerRecord, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (processIdentity(pid) === identity) {
    if (performance.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
}
