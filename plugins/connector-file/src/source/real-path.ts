import { closeSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';

/** Opens anything without reading it: no permission to read is needed, and a pipe does not block. */
const O_PATH = 0o10000000;

/**
 * The path of what is at a place, without any link in it; throws what the system says. In deep folders this is told by
 * an open file where the system can: resolving a path part by part takes its length squared.
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
