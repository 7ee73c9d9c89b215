import { TroveError } from '@trove/core';

import { rulesAbove } from '../ignore/outer.js';
import type { IgnoreRules } from '../ignore/rules.js';
import { skipReasons } from '../source/entries.js';
import type { Root } from '../source/root.js';
import { readFolder, tooLong, type FolderEntry } from './folder.js';
import { linkReason, skipReasonOf, targetOf } from './link.js';

/** Something met by a walk: a regular file, or an entry that must not be read, with the reason. */
export type Found =
  | { readonly path: string; readonly at: string }
  | { readonly path: string; readonly skip: string };

export interface WalkOptions {
  /** The configured patterns. */
  readonly ignore: readonly string[];
  /** Paths below the root to walk; default: everything. Ignored entries stay ignored even when named here. */
  readonly paths?: readonly string[];
}

/** What is wanted in a folder, by name; nothing for everything. */
type Wanted = Map<string, Wanted>;

const everything: Wanted = new Map();

interface Folder {
  readonly path: string;
  /** Its real location, without links. */
  readonly at: string;
  readonly rules: IgnoreRules;
  readonly wanted: Wanted;
}

/**
 * Visits every indexable file of a source: a folder's files by name, then its subfolders. Each is visited once, at its
 * real location; links are reported, not followed. Synchronous, for worker threads.
 */
export class Walk implements Iterable<Found> {
  /** Folders that could not be read, with the reason: nothing below them may be treated as deleted. */
  readonly unread: string[] = [];
  readonly #root: Root;
  readonly #ignore: readonly string[];
  readonly #wanted: Wanted;

  constructor(root: Root, { ignore, paths = [''] }: WalkOptions) {
    this.#root = root;
    this.#ignore = ignore;
    this.#wanted = wantedAt(paths);
  }

  *[Symbol.iterator](): Generator<Found> {
    const { real, isFile } = this.#root;
    if (isFile) {
      if (this.#wanted.size === 0) yield { path: '', at: real };
      return;
    }
    const rules = rulesAbove(this.#root, this.#ignore);
    const waiting: Folder[] = [{ path: '', at: real, rules, wanted: this.#wanted }];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const subfolders: Folder[] = [];
      yield* this.#content(folder, subfolders);
      waiting.push(...subfolders.reverse());
    }
  }

  *#content(folder: Folder, subfolders: Folder[]): Generator<Found> {
    const content = readFolder(folder.at);
    if (content === tooLong) {
      yield { path: folder.path, skip: skipReasons.tooLong };
      return;
    }
    if (typeof content === 'string') {
      if (folder.path === '') throw rootUnread(this.#root.name, content);
      this.unread.push(`${folder.path} (${content})`);
      return;
    }
    const { entries, undecodable } = content;
    const rules = folder.rules.inside(folder.path, folder.at, (name) =>
      entries.some((entry) => entry.name === name),
    );
    const inside = { ...folder, rules };
    const { wanted } = folder;
    for (const entry of entries) {
      if (wanted.size > 0 && !wanted.has(entry.name)) continue;
      const found = this.#meet(entry, inside, subfolders);
      if (found !== null) yield found;
    }
    if (wanted.size > 0) return;
    for (const name of undecodable) yield { path: below(folder, name), skip: skipReasons.name };
  }

  #meet(entry: FolderEntry, folder: Folder, subfolders: Folder[]): Found | null {
    const path = below(folder, entry.name);
    const at = below({ path: folder.at }, entry.name);
    if (entry.isSymbolicLink()) return this.#meetLink(path, at, folder.rules);
    const isFolder = entry.isDirectory();
    if (this.#root.deniedRoots.has(at)) return null;
    if (folder.rules.ignoring(path, isFolder, at) !== null) return null;
    if (isFolder) {
      const wanted = folder.wanted.get(entry.name) ?? everything;
      subfolders.push({ path, at, rules: folder.rules, wanted });
      return null;
    }
    return entry.isFile() ? { path, at } : { path, skip: skipReasons.special };
  }

  /** Ignore rules treat a link like its target. */
  #meetLink(path: string, at: string, rules: IgnoreRules): Found | null {
    const target = targetOf(at);
    if (rules.ignoring(path, target?.kind === 'folder', at) !== null) return null;
    return { path, skip: skipReasonOf(this.#root, target) ?? linkReason(this.#root, target) };
  }
}

/** None of the paths is below another. */
function wantedAt(paths: readonly string[]): Wanted {
  const root: Wanted = new Map();
  for (const path of paths) {
    if (path === '') return everything;
    let folder = root;
    for (const name of path.split('/')) {
      const inside = folder.get(name) ?? new Map();
      folder.set(name, inside);
      folder = inside;
    }
  }
  return root;
}

function rootUnread(name: string, reason: string): TroveError {
  return new TroveError('connector_unhealthy', `The folder ${name} cannot be read: ${reason}.`, {
    suggestions: ['Give the user that the server runs as the right to read it.'],
  });
}

function below(folder: { readonly path: string }, name: string): string {
  const { path } = folder;
  return path === '' || path.endsWith('/') ? path + name : `${path}/${name}`;
}
