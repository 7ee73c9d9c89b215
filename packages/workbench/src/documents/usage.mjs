// Resource usage of this process and its children. Linux only.
import { readdirSync, readFileSync } from 'node:fs';

/** Returns processor time, including ended children. */
export function spentMs() {
  const { user, system } = process.cpuUsage();
  const [, , ended, endedInSystem] = ticksOf('self');
  const running = children().flatMap((pid) => ticksOf(pid).slice(0, 2));
  const ticks = [ended, endedInSystem, ...running].reduce((sum, each) => sum + each, 0);
  // A tick is a hundredth of a second.
  return (user + system) / 1000 + ticks * 10;
}

/** Returns the peak resident memory of a converter process. */
export function peakBytes() {
  const peaks = children().map((pid) => Number(/VmHWM:\s*(\d+)/.exec(statusOf(pid))?.[1] ?? 0));
  return Math.max(0, ...peaks) * 1024;
}

function children() {
  return readdirSync('/proc/self/task').flatMap((task) =>
    read(`/proc/self/task/${task}/children`).split(' ').filter(Boolean),
  );
}

/** Ticks in user and system mode, including ended children. */
function ticksOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].map((at) => Number(fields[at] ?? 0));
}

function statusOf(pid) {
  return read(`/proc/${pid}/status`);
}

/** Returns '' for a process that has just ended. */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
