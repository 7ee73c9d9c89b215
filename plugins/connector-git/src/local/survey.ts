import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { parseUri } from '@trove/core';
import { assertPathAllowed } from '@trove/core/local';

import { Git } from '../git.js';
import type { Context } from '../context.js';
import { explained } from './explained.js';
import { formatOf, type Format } from './format.js';
import { layoutIn, shallowOf, type Layout } from './layout.js';
import { linksIn, objectFolders } from './object-folders.js';
import { startOf, statOf } from './regular-file.js';

/** Where a repository is, and how it is stored. */
export interface Survey {
  readonly layout: Layout;
  readonly format: Format;
  /** Folders of objects, those of other repositories included. */
  readonly objects: readonly string[];
}

/**
 * Looks for the repository of a source, without any of git reading it. Throws `connector_unhealthy` when there is none or
 * it holds a pipe or a device, and `path_not_allowed` for a place that may not be read.
 */
export async function survey(context: Context): Promise<Survey> {
  const { target, error, signal } = context;
  const path = parseUri(target).path || '/';
  const folder = await realpath(path).catch(() => null);
  if (folder === null || (await statOf(folder))?.isDirectory() !== true) {
    throw error('connector_unhealthy', `There is no folder ${path}.`, {
      suggestions: ['Give the folder that has .git in it, or a bare repository.'],
    });
  }
  try {
    const layout = await layoutIn(folder);
    if (layout === null)
      throw error('connector_unhealthy', 'There is no git repository in this folder.', {
        suggestions: ['Give the folder that has .git in it, or a bare repository.'],
      });
    const objects = await objectFolders(join(layout.commonDir, 'objects'));
    await assertAllowed(context, [layout.gitDir, layout.commonDir, ...objects]);
    const format = await formatOf(layout.commonDir, { git: new Git(error), error, signal });
    const reftable = format.refs === 'files' ? [] : [layout.commonDir, layout.gitDir];
    const read = [...objects, ...reftable.map((each) => join(each, 'reftable'))];
    for (const each of read) await assertAllowed(context, await linksIn(each));
    // Git reads it by its path; a pipe there must be found first.
    await startOf(shallowOf(layout), 0);
    return { layout, objects, format };
  } catch (cause) {
    throw explained(error, cause);
  }
}

/** Throws `path_not_allowed` unless places of this machine may be read. */
async function assertAllowed(context: Context, places: readonly string[]): Promise<void> {
  for (const named of places) {
    const place = await realpath(named).catch(() => named);
    assertPathAllowed(place, context, `${place}, where the repository is or has objects,`);
  }
}
