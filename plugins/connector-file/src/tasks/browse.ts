import { readdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { TroveError } from '@trove/core';
import type { BrowseEntry } from '@trove/core';
import { mediaTypeOf } from '@trove/core/content';

import { isInside, notFound, openRoot, realPlaceOf } from '../source/root.js';
import type { Root, Source } from '../source/root.js';
import { descend, reasonAt } from '../walk/descend.js';
import type { Descent } from '../walk/descend.js';
import { targetOf } from '../walk/link.js';

export interface PathTask extends Source {
  readonly path: string;
}

const BATCH = 512;

/** The entries of one folder by name, or a file's own entry. Throws `not_found` and `path_not_allowed`. */
export function* browse({ path, ...source }: PathTask): Generator<BrowseEntry[], void> {
  const root = openRoot(source);
  const real = realPlaceOf(root, path);
  if (real === null) throw notFound(path);
  const descent = descend(root, source.ignore, path);
  if (!statSync(real).isDirectory()) {
    yield [describe(root, basename(path === '' ? real : path), real, descent.leftOut)];
    return;
  }
  const names = namesIn(real, path).sort();
  for (let from = 0; from < names.length; from += BATCH) {
    yield names.slice(from, from + BATCH).map((name) => child(root, descent, path, real, name));
  }
}

function namesIn(folder: string, path: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    throw new TroveError('connector_unhealthy', `The folder "${path}" cannot be read.`, { cause });
  }
}

function child(
  root: Root,
  { leftOut, rules }: Descent,
  path: string,
  folder: string,
  name: string,
): BrowseEntry {
  const at = folder === '/' ? `/${name}` : `${folder}/${name}`;
  const childPath = path === '' ? name : `${path}/${name}`;
  return describe(root, name, at, leftOut ?? reasonAt(root, rules, childPath, at));
}

/** A link out of the root, or to nowhere, is shown as a file of unknown size. */
function describe(root: Root, name: string, at: string, reason: string | null): BrowseEntry {
  const target = targetOf(at);
  const skip = reason === null ? {} : { skip: reason };
  if (target === null || !isInside(root, target.real)) {
    return { name, type: 'file', size: null, modifiedAt: null, ...skip };
  }
  const stats = statSync(target.real, { bigint: true });
  const modifiedAt = Number(stats.mtimeMs);
  if (target.kind === 'folder') {
    const realId = `${stats.dev}:${stats.ino}`;
    return { name, type: 'dir', size: null, modifiedAt, realId, ...skip };
  }
  const size = target.kind === 'file' ? Number(stats.size) : null;
  return { name, type: 'file', mediaType: mediaTypeOf(name), size, modifiedAt, ...skip };
}
