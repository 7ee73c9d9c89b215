import { readFileSync } from 'node:fs';

import { childrenOf } from '../measure/memory.mjs';

/** Ticks per second of the times that Linux reports. */
const ticksPerSecond = 100;
/** The user and system time, and those of ended children, among the fields after the name. */
const ownTimes = [11, 12];
const childTimes = [13, 14];

/** Returns the processor time of a process and its children in milliseconds, or null where the system reports none. */
export function processorMs(pid) {
  const own = timesOf(pid, [...ownTimes, ...childTimes]);
  if (own === null) return null;
  const running = childrenOf(pid).map((child) => timesOf(child, ownTimes) ?? 0);
  return running.reduce((sum, ms) => sum + ms, own);
}

function timesOf(pid, fields) {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const values = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.reduce((sum, at) => sum + Number(values[at]), 0);
    return (ticks * 1000) / ticksPerSecond;
  } catch {
    return null;
  }
}
