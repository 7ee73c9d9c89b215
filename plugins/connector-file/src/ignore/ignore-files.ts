import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { IgnoreMatcher } from '@trove/text/ignore';

const maxBytes = 1024 * 1024;

/** In ascending precedence. A later file overrides an earlier one. */
const ignoreFiles = ['.git/info/exclude', '.gitignore', '.troveignore'] as const;

/** Reads the patterns of one folder; null without any. `displayPath` names the folder in messages. */
export function readIgnoreFiles(
  folder: string,
  displayPath: string,
  has: (name: string) => boolean,
): IgnoreMatcher | null {
  let matcher: IgnoreMatcher | null = null;
  for (const name of ignoreFiles) {
    if (!has(name.slice(0, name.includes('/') ? name.indexOf('/') : undefined))) continue;
    const text = readSmallFile(`${folder}/${name}`);
    if (text === null) continue;
    matcher ??= new IgnoreMatcher();
    matcher.addFile(
      displayPath === '' ? name : `${displayPath}/${name}`,
      text,
      name === '.troveignore',
    );
  }
  return matcher;
}

/** Reads the start of a regular file; null otherwise, because a link may lead anywhere and a pipe would block. */
function readSmallFile(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return null;
    const buffer = Buffer.alloc(Math.min(stats.size, maxBytes));
    return buffer.toString('utf8', 0, readSync(file, buffer));
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
