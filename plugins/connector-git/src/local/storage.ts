import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { parseUri } from '@trove/core';
import { assertPathAllowed } from '@trove/core/local';

import { Git } from '../git.js';
import type { GitContext } from '../context.js';
import { toRepositoryError } from './repository-error.js';
import { readFormat, type RepositoryFormat } from './format.js';
import { findLayout, shallowFileOf, type RepositoryLayout } from './layout.js';
import { findLinks, findObjectFolders } from './object-folders.js';
import { readStart, statOf } from './regular-file.js';

/** Where a repository is, and how it is stored. */
export interface RepositoryStorage {
  readonly layout: RepositoryLayout;
  readonly format: RepositoryFormat;
  /** Folders of objects, those of other repositories included. */
  readonly objectFolders: readonly string[];
}

/**
 * Looks for the repository of a source, without any of git reading it. Throws `connector_unhealthy` when there is none or
 * it holds a pipe or a device, and `path_not_allowed` for a place that may not be read.
 */
export async function findStorage(context: GitContext): Promise<RepositoryStorage> {
  const { target, error, signal } = context;
  const path = parseUri(target).path || '/';
  const folder = await realpath(path).catch(() => null);
  if (folder === null || (await statOf(folder))?.isDirectory() !== true) {
    throw error('connector_unhealthy', `There is no folder ${path}.`, {
      suggestions: ['Give the folder that has .git in it, or a bare repository.'],
    });
  }
  try {
    const layout = await findLayout(folder);
    if (layout === null)
      throw error('connector_unhealthy', 'There is no git repository in this folder.', {
        suggestions: ['Give the folder that has .git in it, or a bare repository.'],
      });
    const objects = await findObjectFolders(join(layout.commonDir, 'objects'));
    await assertAllowed(context, [layout.gitDir, layout.commonDir, ...objects]);
    const format = await readFormat(layout.commonDir, { git: new Git(error), error, signal });
    const reftable = format.refs === 'files' ? [] : [layout.commonDir, layout.gitDir];
    const read = [...objects, ...reftable.map((each) => join(each, 'reftable'))];
    for (const each of read) await assertAllowed(context, await findLinks(each));
    // Git reads it by its path; a pipe there must be found first.
    await readStart(shallowFileOf(layout), 0);
    return { layout, objectFolders: objects, format };
  } catch (cause) {
    throw toRepositoryError(error, cause);
  }
}

/** Throws `path_not_allowed` unless places of this machine may be read. */
async function assertAllowed(context: GitContext, places: readonly string[]): Promise<void> {
  for (const named of places) {
    const place = await realpath(named).catch(() => named);
    assertPathAllowed(place, context, `${place}, where the repository is or has objects,`);
  }
}
