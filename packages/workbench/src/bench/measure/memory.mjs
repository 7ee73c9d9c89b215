import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const everyMs = 250;
const kib = 1024;
/** An idle process varies by less. */
const settledBytes = 2 ** 20;

/**
 * Watches the resident memory of a process and its children. `stop()` returns `{ peak, samples }` in bytes, with `[ms
 * since the start, bytes, bytes of the children]` per sample. On Linux, the peak that the system records also counts.
 */
export function watchMemory(pid) {
  const started = performance.now();
  const samples = [];
  const look = () => {
    const children = childBytes(pid);
    samples.push([performance.now() - started, ownBytes(pid) + children, children]);
  };
  look();
  const timer = setInterval(look, everyMs);
  return {
    stop() {
      clearInterval(timer);
      look();
      const seen = samples.map(([, bytes]) => bytes);
      return { peak: Math.max(peakBytes(pid) ?? 0, ...seen), samples };
    },
  };
}

/** Makes the system record a new peak, if it can (Linux). A later `watchMemory` then ignores what was before. */
export function resetPeak(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The peak then includes the time before.
  }
}

/**
 * Returns the current resident memory of a process, plus the memory of its children without files, which they share.
 */
export function residentBytes(pid) {
  return ownBytes(pid) + childBytes(pid);
}

/** Waits until a server that has just started no longer grows. It loads its index after it is ready. Returns its memory. */
export async function settledResidentBytes(pid) {
  let before = residentBytes(pid);
  for (;;) {
    await delay(2 * everyMs);
    const now = residentBytes(pid);
    if (Math.abs(now - before) < settledBytes) return now;
    before = now;
  }
}

function ownBytes(pid) {
  return statusOf(pid, 'VmRSS') ?? fromPs(pid);
}

function childBytes(pid) {
  return childrenOf(pid).reduce((sum, child) => sum + (statusOf(child, 'RssAnon') ?? 0), 0);
}

/** Returns the ids of the children of a process. Only where the system reports them (Linux). */
export function childrenOf(pid) {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return [];
  return readdirSync(tasks)
    .flatMap((task) => textOf(`${tasks}/${task}/children`).split(' '))
    .filter(Boolean);
}

/** Returns '' if the process or thread has ended. */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function peakBytes(pid) {
  return statusOf(pid, 'VmHWM');
}

function statusOf(pid, field) {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(textOf(`/proc/${pid}/status`));
  return found === null ? undefined : Number(found[1]) * kib;
}

function fromPs(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout) * kib;
}
