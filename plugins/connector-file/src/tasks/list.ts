import { lstatSync, statSync } from 'node:fs';
import { TroveError } from '@trove/core';

import { EntryColumnsBuilder, type EntryColumns } from '../source/columns.js';
import { deviceOf, skipReasons } from '../source/entries.js';
import { openRoot, systemCodeOf, type Root, type FileSource } from '../source/root.js';
import { YieldTimer } from '../threads/yield-timer.js';
import { permissionDenied, reasonOf } from '../walk/folder.js';
import { Walk, type WalkItem } from '../walk/walk.js';

const batchSize = 512;
const maxShownFolders = 3;

export interface ListTask extends FileSource {
  /** The identity of an earlier file of the source; null without any. */
  readonly knownIdentity: string | null;
  /** Paths to list, with all paths below them. */
  readonly paths: readonly string[];
}

/**
 * Lists a source in batches. Throws `connector_unhealthy` if the root is missing, or if it is an empty folder on another
 * disk than the known file. Throws `listing_incomplete` at the end if a path could not be read. Missing files must not
 * count as deleted then.
 */
export function* list({
  knownIdentity,
  paths,
  ...source
}: ListTask): Generator<EntryColumns[], void> {
  const root = openRoot(source);
  const walk = new Walk(root, { ignore: source.ignore, paths });
  const origin = root.isUpload ? 'upload' : 'own';
  let listed = 0;
  const timer = new YieldTimer();
  let batch = new EntryColumnsBuilder(origin);
  for (const item of walk) {
    addItem(item, batch, walk.unreadable);
    if (batch.length === 0 || (batch.length < batchSize && !timer.isDue())) continue;
    listed += batch.length;
    yield [batch.columns];
    batch = new EntryColumnsBuilder(origin);
  }
  listed += batch.length;
  if (batch.length > 0) yield [batch.columns];
  if (walk.unreadable.length > 0) throw incompleteError(walk.unreadable);
  if (listed === 0 && knownIdentity !== null && isOnAnotherDisk(root, knownIdentity))
    throw unmountedError(source.name);
}

function isOnAnotherDisk(root: Root, identity: string): boolean {
  return deviceOf(identity) !== String(statSync(root.real).dev);
}

/** The mount point of an unmounted disk is an empty folder. */
function unmountedError(path: string): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `${path} is empty and on another disk than its files were, so it looks like an unmounted disk. Nothing was removed. Mount the disk, or remove the source if its files were deleted on purpose.`,
  );
}

/** Adds an item of the walk, unless it has vanished or cannot be examined. */
function addItem(item: WalkItem, batch: EntryColumnsBuilder, unreadable: string[]): void {
  if ('skip' in item) return batch.addSkipped(item.path, item.skip);
  try {
    const stats = lstatSync(item.realPath, { throwIfNoEntry: false });
    if (stats?.isFile() === true) batch.addFile(item.path, stats);
  } catch (error) {
    if (systemCodeOf(error) === 'ENAMETOOLONG') batch.addSkipped(item.path, skipReasons.tooLong);
    else unreadable.push(`${item.path} (${reasonOf(error)})`);
  }
}

function incompleteError(unreadable: readonly string[]): TroveError {
  const shown = unreadable.slice(0, maxShownFolders).join(', ');
  const more =
    unreadable.length > maxShownFolders ? ` and ${unreadable.length - maxShownFolders} more` : '';
  return new TroveError(
    'listing_incomplete',
    `These paths could not be read: ${shown}${more}. All others were listed, and no file counts as deleted. Allow the user that runs the server to read them, or list them in a .troveignore file.`,
    {
      // A vanished or replaced folder may be readable at the next attempt. A permission error stays.
      retryable: !unreadable.every((folder) => folder.endsWith(`(${permissionDenied})`)),
    },
  );
}
