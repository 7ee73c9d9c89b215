import { readFile } from 'node:fs/promises';
import { TroveError } from '@trove/core';
import { createAbortController, rejectOnAbort } from './abort.js';
import { Gate } from './gate.js';

/** Node has four threads for file operations. Unresponsive disks can occupy three of them. */
const threads = new Gate(3);
const disks = new Map<string, Gate>();

/** Lifetime of the cached mount points, which rarely change. */
const mountPointsTtlMs = 1000;
let cachedMountPoints: { readonly at: number; readonly points: Promise<readonly string[]> } | null =
  null;

/**
 * Reads at paths that callers name. An unresponsive disk occupies a thread until it responds, so each disk
 * serves one read at a time. Systems without `/proc/self/mountinfo` count as one disk.
 */
export class PathReader<T = string> {
  readonly #limitMs: number;
  readonly #read: (path: string) => Promise<T>;

  constructor(limitMs: number, read: (path: string) => Promise<T>) {
    this.#limitMs = limitMs;
    this.#read = read;
  }

  /** Throws the error of reading, `timed_out`, or `overloaded` when too many reads wait. */
  async read(path: string): Promise<T> {
    const { signal, stopTimer } = startTimer(path, this.#limitMs);
    try {
      const disk = gateOf(await diskOf(path));
      const reading = disk.run(signal, () => threads.run(signal, () => this.#read(path)));
      return await rejectOnAbort(reading, signal);
    } finally {
      stopTimer();
    }
  }
}

function startTimer(path: string, ms: number): { signal: AbortSignal; stopTimer: () => void } {
  const late = createAbortController();
  const timer = setTimeout(() => {
    late.abort(
      new TroveError('timed_out', `${path}: the disk does not respond`, {
        suggestions: ['Mount the disk again, or remove the sources on it.'],
        retryable: true,
      }),
    );
  }, ms);
  return { signal: late.signal, stopTimer: () => clearTimeout(timer) };
}

function gateOf(disk: string): Gate {
  const gate = disks.get(disk) ?? new Gate(1);
  disks.set(disk, gate);
  return gate;
}

/**
 * Returns the innermost mount point of an absolute path without resolving links, or `/` if the system lists
 * none.
 */
async function diskOf(path: string): Promise<string> {
  const points = await recentMountPoints();
  return points.reduce(
    (best, point) =>
      `${path}/`.startsWith(`${point}/`) && point.length > best.length ? point : best,
    '/',
  );
}

/** Caches the mount points, because listing them takes longer than most reads. */
function recentMountPoints(): Promise<readonly string[]> {
  const now = performance.now();
  if (cachedMountPoints === null || now - cachedMountPoints.at > mountPointsTtlMs)
    cachedMountPoints = { at: now, points: mountPoints() };
  return cachedMountPoints.points;
}

async function mountPoints(): Promise<readonly string[]> {
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return table.split('\n').map((line) => unescaped(line.split(' ')[4] ?? '/'));
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)));
}
