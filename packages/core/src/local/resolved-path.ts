import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  type BigIntStats,
  type Stats,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { platform } from 'node:os';

/** Opens any file without read permission, and without blocking on a pipe. */
const pathOnlyFlag = 0o10000000;
/** Fails for a link at this path, and does not block on a pipe without a writer. */
const safeReadFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const isLinux = platform() === 'linux';

/** A path with all links resolved, and its metadata. */
export interface ResolvedPath {
  readonly real: string;
  readonly stats: BigIntStats;
}

/**
 * Returns the real path and metadata of a path. On Linux, both are of the same file, even if folders are moved
 * meanwhile. Throws the system's error. Blocks, so call it in worker threads.
 */
export function resolvePath(at: string): ResolvedPath {
  if (!isLinux) return { real: realpathSync.native(at), stats: statSync(at, { bigint: true }) };
  const file = openSync(at, pathOnlyFlag);
  try {
    return {
      real: pathOf(file) ?? realpathSync.native(at),
      stats: fstatSync(file, { bigint: true }),
    };
  } finally {
    closeSync(file);
  }
}

/**
 * Resolves all links of a path. Throws the system's error. On Linux, reads the path from an open file, because
 * resolving deep folders segment by segment takes quadratic time. Blocks, so call it in worker threads.
 */
export function realPathOf(at: string): string {
  if (!isLinux) return realpathSync.native(at);
  const file = openSync(at, pathOnlyFlag);
  try {
    return pathOf(file) ?? realpathSync.native(at);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the metadata of a real path. Null if the file is gone or was replaced. Blocks, so call it in worker threads.
 */
export function statAt(real: string): Stats | null {
  if (!isLinux) return statSync(real, { throwIfNoEntry: false }) ?? null;
  try {
    const file = openSync(real, pathOnlyFlag | constants.O_NOFOLLOW);
    try {
      return isOpenedAt(file, real) ? fstatSync(file) : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/**
 * Whether an open file is still at a real path, even if folders were moved meanwhile. If the system does not report the
 * path of an open file, resolves the path again. Takes microseconds.
 */
export function isOpenedAt(file: number, real: string): boolean {
  const opened = isLinux ? pathOf(file) : null;
  if (opened !== null) return opened === real;
  try {
    const [here, there] = [fstatSync(file), lstatSync(real)];
    return here.ino === there.ino && here.dev === there.dev && realpathSync.native(real) === real;
  } catch {
    return false;
  }
}

/**
 * Opens the file at a real path for reading. Throws the system's error: `EISDIR` for a folder, `ENOENT` also for a
 * replaced file, and `ENXIO` for other special files.
 */
export async function openAt(real: string): Promise<FileHandle> {
  const file = await open(real, safeReadFlags);
  try {
    const stats = await file.stat();
    const code = !isOpenedAt(file.fd, real)
      ? 'ENOENT'
      : stats.isDirectory()
        ? 'EISDIR'
        : stats.isFile()
          ? null
          : 'ENXIO';
    if (code !== null) throw Object.assign(new Error(`${code}: ${real} is not opened`), { code });
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns the path of an open file. Null if the system does not report it. */
function pathOf(file: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return null;
  }
}
