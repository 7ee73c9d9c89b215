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

/** Opens anything without reading it: needs no read permission, and does not block on a pipe. */
const pathOnlyFlag = 0o10000000;
/** Neither a link in the place of the file, nor a pipe that nobody writes to. */
const safeReadFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const isLinux = platform() === 'linux';

/** What is at a place, with all links resolved. */
export interface ResolvedPath {
  readonly real: string;
  readonly stats: BigIntStats;
}

/**
 * The real path of a place, and what is there: on Linux both of the same file, whoever moves folders meanwhile. Throws the
 * system's error. Blocks, for worker threads.
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
 * The path of a place with all links resolved; throws the system's error. In deep folders it is read from an open file
 * where the system allows that, since resolving part by part takes quadratic time. Blocks, for worker threads.
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

/** Facts about what is at a real path; null if it is gone, or something has taken its place. Blocks, for worker threads. */
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
 * Whether an open file is the one at a real path, however folders were moved while it was opened. Where the system does not
 * tell the path of an open file, the path is resolved once more. Takes microseconds.
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
 * Opens the file at a real path, to read it. Throws the system's error: `EISDIR` for a folder, `ENOENT` also if something has
 * taken its place, and `ENXIO` for what is no regular file.
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

/** Null where the system does not tell. */
function pathOf(file: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return null;
  }
}
