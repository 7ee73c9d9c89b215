import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const EVERY_MS = 250;
const KIB = 1024;

/**
 * Watches the resident memory of a process. `stop()` returns `{ peak, samples }`: bytes, and `[ms since the start,
 * bytes]` for each look. Where the system keeps the peak itself (Linux), that is what is returned.
 */
export function watchMemory(pid) {
  const started = performance.now();
  const samples = [];
  const look = () => samples.push([performance.now() - started, residentBytes(pid)]);
  look();
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return { peak: peakBytes(pid) ?? Math.max(...samples.map(([, bytes]) => bytes)), samples };
    },
  };
}

/** What a process has in memory now. */
export function residentBytes(pid) {
  return statusOf(pid, 'VmRSS') ?? fromPs(pid);
}

function peakBytes(pid) {
  return statusOf(pid, 'VmHWM');
}

function statusOf(pid, field) {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(file, 'utf8'));
  return found === null ? undefined : Number(found[1]) * KIB;
}

function fromPs(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout) * KIB;
}
