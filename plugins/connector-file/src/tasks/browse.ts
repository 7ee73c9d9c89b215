import { readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { TroveError, type BrowseEntry } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';

import {
  isInside,
  notFoundError,
  openRoot,
  realPathBelow,
  type Root,
  type FileSource,
} from '../source/root.js';
import { descend, leftOutReasonOf, type Descent } from '../walk/descent.js';
import { resolveChild, resolveLink, type LinkTarget } from '../walk/link.js';

export interface PathTask extends FileSource {
  readonly path: string;
}

const batchSize = 512;

/** Yields the entries of a folder by name, or the file's own entry. Throws `not_found` and `path_not_allowed`. */
export function* browse({ path, ...source }: PathTask): Generator<BrowseEntry[], void> {
  const root = openRoot(source);
  const real = realPathBelow(root, path);
  if (real === null) throw notFoundError(path);
  const descent = descend(root, source.ignore, path);
  if (!statSync(real).isDirectory()) {
    const name = basename(path === '' ? real : path);
    yield [describe(root, name, resolveLink(real), descent.leftOut)];
    return;
  }
  const names = listNames(real, path).sort();
  for (let from = 0; from < names.length; from += batchSize) {
    yield names
      .slice(from, from + batchSize)
      .map((name) => describeChild(root, descent, path, real, name));
  }
}

function listNames(folder: string, path: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw new TroveError('connector_unhealthy', `The folder "${path}" cannot be read.`, { cause });
  }
}

function describeChild(
  root: Root,
  { leftOut, rules }: Descent,
  path: string,
  folder: string,
  name: string,
): BrowseEntry {
  const at = folder === '/' ? `/${name}` : `${folder}/${name}`;
  const childPath = path === '' ? name : `${path}/${name}`;
  const target = resolveChild(folder, name);
  const reason = leftOut ?? leftOutReasonOf(root, rules, childPath, at, target);
  return describe(root, name, target, reason);
}

/** Describes an entry. A broken link, or one out of the root, becomes a file of unknown size. */
function describe(
  root: Root,
  name: string,
  target: LinkTarget | null,
  reason: string | null,
): BrowseEntry {
  const skip = reason === null ? {} : { skip: reason };
  if (target === null || !isInside(root, target.real)) {
    return { name, type: 'file', size: null, modifiedAt: null, ...skip };
  }
  const { stats } = target;
  const modifiedAt = Number(stats.mtimeMs);
  if (target.kind === 'folder') {
    const realId = `${stats.dev}:${stats.ino}`;
    return { name, type: 'dir', size: null, modifiedAt, realId, ...skip };
  }
  const size = target.kind === 'file' ? Number(stats.size) : null;
  return { name, type: 'file', mediaType: mediaTypeOf(name), size, modifiedAt, ...skip };
}
