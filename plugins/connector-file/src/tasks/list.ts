import { lstatSync, statSync } from 'node:fs';
import { TroveError } from '@trove/core';
import type { Entry } from '@trove/core';

import { deviceOf, fileEntry, skippedEntry, skipReasons } from '../source/entries.js';
import { openRoot, systemCode } from '../source/root.js';
import type { Root, Source } from '../source/root.js';
import { Pace } from '../threads/pace.js';
import { permissionDenied, reasonOf } from '../walk/folder.js';
import { Walk } from '../walk/walk.js';
import type { Found } from '../walk/walk.js';

const BATCH = 512;
const SHOWN_FOLDERS = 3;

export interface ListTask extends Source {
  /** The identity of a file that was there once; null when none is known. */
  readonly known: string | null;
}

/**
 * All entries of a source, in batches. Throws `connector_unhealthy` when the root is not there, or is an empty
 * folder of another disk than the known file was on; and at the very end `listing_incomplete` when a folder could not be
 * read: everything else was listed, but nothing may be taken for deleted.
 */
export function* list({ known, ...source }: ListTask): Generator<Entry[], void> {
  const root = openRoot(source);
  const walk = new Walk(root, { ignore: source.ignore });
  let isEmpty = true;
  const pace = new Pace();
  let batch: Entry[] = [];
  for (const found of walk) {
    const entry = entryOf(found, root, walk.unread);
    if (entry === null) continue;
    batch.push(entry);
    isEmpty = false;
    if (batch.length < BATCH && !pace.isDue()) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
  if (walk.unread.length > 0) throw incomplete(walk.unread);
  if (isEmpty && known !== null && isOnAnotherDisk(root, known)) throw unmounted(source.name);
}

function isOnAnotherDisk(root: Root, identity: string): boolean {
  return deviceOf(identity) !== String(statSync(root.real).dev);
}

/** The folder that a disk is mounted on is there without it, too, and empty. */
function unmounted(path: string): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `${path} is empty, and on another disk than its files were: it looks like an unmounted disk. Nothing was removed. Mount it, or remove the source if its files are meant to be gone.`,
  );
}

/** The entry of a file found by the walk, or null if it has disappeared or cannot be examined. */
function entryOf(found: Found, root: Root, unread: string[]): Entry | null {
  if ('skip' in found) return skippedEntry(found.path, found.skip);
  try {
    const stats = lstatSync(found.at, { throwIfNoEntry: false });
    return stats?.isFile() === true
      ? fileEntry(found.path, stats, root.isStored ? 'stored' : 'own')
      : null;
  } catch (error) {
    if (systemCode(error) === 'ENAMETOOLONG') return skippedEntry(found.path, skipReasons.tooLong);
    unread.push(`${found.path} (${reasonOf(error)})`);
    return null;
  }
}

function incomplete(unread: readonly string[]): TroveError {
  const shown = unread.slice(0, SHOWN_FOLDERS).join(', ');
  const more = unread.length > SHOWN_FOLDERS ? ` and ${unread.length - SHOWN_FOLDERS} more` : '';
  return new TroveError(
    'listing_incomplete',
    `These could not be read: ${shown}${more}. Everything else was listed; nothing is taken for deleted. Give the user that the server runs as the right to read them, or name them in a .troveignore file.`,
    {
      // What vanished or was replaced may be well at the next try; a right that is missing is not.
      retryable: !unread.every((folder) => folder.endsWith(`(${permissionDenied})`)),
    },
  );
}
