import { closeSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';

/** Opens anything without reading it: needs no read permission, and does not block on a pipe. */
const O_PATH = 0o10000000;

/**
 * The path of a place with all links resolved; throws the system's error. In deep folders it is read from an open file
 * where the system allows that, since resolving part by part takes quadratic time.
 */
export const realPathOf: (at: string) => string =
  platform() === 'linux' ? pathOfOpened : realpathSync.native;

function pathOfOpened(at: string): string {
  const file = openSync(at, O_PATH);
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return realpathSync.native(at);
  } finally {
    closeSync(file);
  }
}
