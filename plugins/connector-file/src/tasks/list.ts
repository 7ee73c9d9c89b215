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
  /** The identity of a file that was there once; null when none is known. */
  readonly known: string | null;
  /** What is wanted, and what lies below it. */
  readonly paths: readonly string[];
}

/**
 * The wanted entries of a source, a part of them in each batch. Throws `connector_unhealthy` when the root is not there, or is an empty
 * folder of another disk than the known file was on; and at the very end `listing_incomplete` when a folder could not be
 * read: everything else was listed, but nothing may be taken for deleted.
 */
export function* list({ known, paths, ...source }: ListTask): Generator<EntryColumns[], void> {
  const root = openRoot(source);
  const walk = new Walk(root, { ignore: source.ignore, paths });
  const reached = root.isUpload ? 'stored' : 'own';
  let listed = 0;
  const pace = new YieldTimer();
  let part = new EntryColumnsBuilder(reached);
  for (const found of walk) {
    addItem(found, part, walk.unreadable);
    if (part.length === 0 || (part.length < batchSize && !pace.isDue())) continue;
    listed += part.length;
    yield [part.columns];
    part = new EntryColumnsBuilder(reached);
  }
  listed += part.length;
  if (part.length > 0) yield [part.columns];
  if (walk.unreadable.length > 0) throw incompleteError(walk.unreadable);
  if (listed === 0 && known !== null && isOnAnotherDisk(root, known))
    throw unmountedError(source.name);
}

function isOnAnotherDisk(root: Root, identity: string): boolean {
  return deviceOf(identity) !== String(statSync(root.real).dev);
}

/** The folder that a disk is mounted on is there without it, too, and empty. */
function unmountedError(path: string): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `${path} is empty, and on another disk than its files were: it looks like an unmounted disk. Nothing was removed. Mount it, or remove the source if its files are meant to be gone.`,
  );
}

/** Adds what the walk found, unless it has disappeared or cannot be examined. */
function addItem(found: WalkItem, part: EntryColumnsBuilder, unread: string[]): void {
  if ('skip' in found) return part.addSkipped(found.path, found.skip);
  try {
    const stats = lstatSync(found.realPath, { throwIfNoEntry: false });
    if (stats?.isFile() === true) part.addFile(found.path, stats);
  } catch (error) {
    if (systemCodeOf(error) === 'ENAMETOOLONG') part.addSkipped(found.path, skipReasons.tooLong);
    else unread.push(`${found.path} (${reasonOf(error)})`);
  }
}

function incompleteError(unread: readonly string[]): TroveError {
  const shown = unread.slice(0, maxShownFolders).join(', ');
  const more =
    unread.length > maxShownFolders ? ` and ${unread.length - maxShownFolders} more` : '';
  return new TroveError(
    'listing_incomplete',
    `These could not be read: ${shown}${more}. Everything else was listed; nothing is taken for deleted. Give the user that the server runs as the right to read them, or name them in a .troveignore file.`,
    {
      // What vanished or was replaced may be well at the next try; a right that is missing is not.
      retryable: !unread.every((folder) => folder.endsWith(`(${permissionDenied})`)),
    },
  );
}
