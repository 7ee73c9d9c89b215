import { inject, injectable, LoggerToken, createToken } from '@trove/core/di';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isTroveError, type Logger } from '@trove/core';
import type { Problem } from '@trove/core/store';
import { PathReader, resolveWithin } from '@trove/runtime';
import type { StatusResponse } from '../../api/schemas.js';
import type { EngineSettings } from '../../settings.js';
import { SettingsToken } from '../../tokens.js';
import { ProblemLog } from './problem-log.js';

const lowBytes = 500_000_000;
/** Databases and index need several megabytes for a write. */
const fullBytes = 10_000_000;
/** How long a reading is reused. */
const maxAgeMs = 5000;
/** The time limit for reading one disk. */
const timeoutMs = 1000;
/** How long a failed write counts as a problem. The worker repeats such writes every few seconds. */
const failureMaxAgeMs = 10_000;

export interface FreeSpace {
  /** Equal for paths on the same disk. */
  readonly device: number;
  readonly freeBytes: number;
}

export interface DiskSpace {
  /** The setting of a path on the disk, such as `home` or `index`. Responses do not contain paths of the server. */
  readonly name: string;
  /** Null if the disk does not respond. */
  readonly freeBytes: number | null;
  readonly state: 'ok' | 'low' | 'full' | 'unknown';
  /** The problem and its remedy; null without a problem. */
  readonly detail: string | null;
}

/** The token of `DiskSpaceService` in an engine's container. */
export const DiskSpaceToken = createToken<DiskSpaceService>('engine.disk_space');

/**
 * Reports the free space of the disks that the engine writes to. A disk that does not respond delays a call by at most a
 * second.
 */
@injectable()
export class DiskSpaceService {
  readonly #paths: Readonly<Record<string, string>>;
  readonly #reader: PathReader<FreeSpace>;
  readonly #log: ProblemLog;
  #reading: { readonly at: number; readonly disks: Promise<readonly DiskSpace[]> } | null = null;
  #failure: { readonly at: number; readonly detail: string } | null = null;

  constructor(
    @inject(SettingsToken) { storagePaths }: Pick<EngineSettings, 'storagePaths'>,
    @inject(LoggerToken) logger: Logger,
    read = readSpace,
  ) {
    this.#paths = storagePaths;
    this.#reader = new PathReader(timeoutMs, read);
    this.#log = new ProblemLog(logger, {
      started: 'little disk space is left',
      ended: 'enough disk space is left again',
    });
  }

  /** Returns one entry per disk, named after the first path on it. The entries are up to 5 s old. */
  disks(): Promise<readonly DiskSpace[]> {
    const now = performance.now();
    if (this.#reading === null || now - this.#reading.at > maxAgeMs)
      this.#reading = { at: now, disks: this.#read() };
    return this.#reading.disks;
  }

  /**
   * Records a write that failed on a full disk. Exhausted quotas and full disks of remote databases are noticed only this
   * way.
   */
  observe(error: unknown): void {
    if (isTroveError(error) && error.code === 'disk_full')
      this.#failure = { at: performance.now(), detail: error.detail };
  }

  /** Returns the current problem for writes, or null. */
  async problem(): Promise<Problem | null> {
    const disks = await this.disks();
    const worst =
      disks.find(({ state }) => state === 'full') ?? disks.find(({ state }) => state === 'low');
    if (worst?.state === 'full') return { code: 'disk_full', detail: worst.detail ?? '' };
    const { at, detail } = this.#failure ?? { at: -Infinity, detail: '' };
    if (performance.now() - at <= failureMaxAgeMs) return { code: 'disk_full', detail };
    return worst === undefined ? null : { code: 'disk_low', detail: worst.detail ?? '' };
  }

  async #read(): Promise<readonly DiskSpace[]> {
    const spaces = await Promise.all(
      Object.values(this.#paths).map((path) =>
        resolveWithin(
          this.#reader.read(path).catch(() => null),
          timeoutMs,
          null,
        ),
      ),
    );
    const devices = new Set<number>();
    const unresponsive: string[] = [];
    const disks = Object.entries(this.#paths).flatMap(([name, path], at) => {
      const space = spaces[at] ?? null;
      if (space === null) {
        // A path below another one is probably on the same disk, whose device number is unknown here.
        if (unresponsive.some((folder) => path.startsWith(`${folder}/`))) return [];
        unresponsive.push(path);
      } else {
        if (devices.has(space.device)) return [];
        devices.add(space.device);
      }
      return [diskOf(name, space?.freeBytes ?? null)];
    });
    const bad = disks.filter(({ state }) => state === 'low' || state === 'full');
    // Without the number of bytes, because each new text causes a log entry.
    this.#log.update(bad.map(({ name, state }) => `${name}: ${state}`).join('; ') || null);
    return disks;
  }
}

export function diskSpaceView(disk: DiskSpace): StatusResponse['disk_space'][number] {
  const { name, freeBytes, state, detail } = disk;
  return { name, free_bytes: freeBytes, state, detail };
}

function diskOf(name: string, freeBytes: number | null): DiskSpace {
  const disk = `the disk of the ${name.replaceAll('_', ' ')}`;
  if (freeBytes === null) {
    const detail = `${capitalized(disk)} does not respond. Check that it is connected and mounted.`;
    return { name, freeBytes, state: 'unknown', detail };
  }
  if (freeBytes >= lowBytes) return { name, freeBytes, state: 'ok', detail: null };
  const left = `${megabytes(freeBytes)} MB`;
  return freeBytes >= fullBytes
    ? {
        name,
        freeBytes,
        state: 'low',
        detail: `Only ${left} are left on ${disk}. Free some space before it is full.`,
      }
    : {
        name,
        freeBytes,
        state: 'full',
        detail: `${capitalized(disk)} is full (${left} left). Nothing can be indexed until you free some space.`,
      };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function megabytes(bytes: number): string {
  const value = bytes / 1_000_000;
  return value < 10 ? value.toFixed(1) : String(Math.floor(value));
}

/** Reads the free space at a path. If the path does not exist yet, reads its nearest existing parent. */
async function readSpace(path: string): Promise<FreeSpace> {
  try {
    const { dev } = await stat(path);
    const { bavail, bsize } = await statfs(path);
    return { device: dev, freeBytes: bavail * bsize };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || dirname(path) === path) throw error;
    return readSpace(dirname(path));
  }
}
