import { lstatSync, statSync } from 'node:fs';
import { TroveError } from '@trove/core';

import { ColumnsOf, type Columns } from '../source/columns.js';
import { deviceOf, skipReasons } from '../source/entries.js';
import { openRoot, systemCode, type Root, type Source } from '../source/root.js';
import { Pace } from '../threads/pace.js';
import { permissionDenied, reasonOf } from '../walk/folder.js';
import { Walk, type Found } from '../walk/walk.js';

const BATCH = 512;
const SHOWN_FOLDERS = 3;

export interface ListTask extends Source {
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
export function* list({ known, paths, ...source }: ListTask): Generator<Columns[], void> {
  const root = openRoot(source);
  const walk = new Walk(root, { ignore: source.ignore, paths });
  const reached = root.isStored ? 'stored' : 'own';
  let listed = 0;
  const pace = new Pace();
  let part = new ColumnsOf(reached);
  for (const found of walk) {
    add(found, part, walk.unread);
    if (part.length === 0 || (part.length < BATCH && !pace.isDue())) continue;
    listed += part.length;
    yield [part.columns];
    part = new ColumnsOf(reached);
  }
  listed += part.length;
  if (part.length > 0) yield [part.columns];
  if (walk.unread.length > 0) throw incomplete(walk.unread);
  if (listed === 0 && known !== null && isOnAnotherDisk(root, known)) throw unmounted(source.name);
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

/** Adds what the walk found, unless it has disappeared or cannot be examined. */
function add(found: Found, part: ColumnsOf, unread: string[]): void {
  if ('skip' in found) return part.addSkipped(found.path, found.skip);
  try {
    const stats = lstatSync(found.at, { throwIfNoEntry: false });
    if (stats?.isFile() === true) part.addFile(found.path, stats);
  } catch (error) {
    if (systemCode(error) === 'ENAMETOOLONG') part.addSkipped(found.path, skipReasons.tooLong);
    else unread.push(`${found.path} (${reasonOf(error)})`);
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
