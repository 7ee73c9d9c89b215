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

/** The folders and the format of a repository. */
export interface RepositoryStorage {
  readonly layout: RepositoryLayout;
  readonly format: RepositoryFormat;
  /** Folders of objects, including alternates in other repositories. */
  readonly objectFolders: readonly string[];
}

/**
 * Finds the repository of a source before git reads it. Throws `connector_unhealthy` if there is none or if it contains a
 * pipe or a device, and `path_not_allowed` for folders that may not be read.
 */
export async function findStorage(context: GitContext): Promise<RepositoryStorage> {
  const { target, error, signal } = context;
  const path = parseUri(target).path || '/';
  const folder = await realpath(path).catch(() => null);
  if (folder === null || (await statOf(folder))?.isDirectory() !== true) {
    throw error('connector_unhealthy', `There is no folder ${path}.`, {
      suggestions: ['Add the folder that contains .git, or a bare repository.'],
    });
  }
  try {
    const layout = await findLayout(folder);
    if (layout === null)
      throw error('connector_unhealthy', 'There is no git repository in this folder.', {
        suggestions: ['Add the folder that contains .git, or a bare repository.'],
      });
    const objectFolders = await findObjectFolders(join(layout.commonDir, 'objects'));
    await assertAllowed(context, [layout.gitDir, layout.commonDir, ...objectFolders]);
    const format = await readFormat(layout.commonDir, { git: new Git(error), error, signal });
    const reftable = format.refs === 'files' ? [] : [layout.commonDir, layout.gitDir];
    const read = [...objectFolders, ...reftable.map((gitDir) => join(gitDir, 'reftable'))];
    for (const each of read) await assertAllowed(context, await findLinks(each));
    // Git opens this file by its path, so a pipe must be found first.
    await readStart(shallowFileOf(layout), 0);
    return { layout, objectFolders, format };
  } catch (cause) {
    throw toRepositoryError(error, cause);
  }
}

/** Throws `path_not_allowed` unless all paths may be read. */
async function assertAllowed(context: GitContext, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const real = await realpath(path).catch(() => path);
    assertPathAllowed(real, context, `${real}, where the repository is or has objects,`);
  }
}
