import type { Dirent } from 'node:fs';
import { TroveError } from '@trove/core';

import { rulesAbove } from '../ignore/outer.js';
import type { IgnoreRules } from '../ignore/rules.js';
import { skipReasons } from '../source/entries.js';
import type { Root } from '../source/root.js';
import { readFolder, tooLong } from './folder.js';
import { skipReasonOf, targetOf } from './link.js';

/** Something that a walk met: a regular file, or an entry that must not be read, and why. */
export type Found =
  | { readonly path: string; readonly at: string; readonly byLink: boolean }
  | { readonly path: string; readonly skip: string };

export interface WalkOptions {
  /** Patterns of the configuration. */
  readonly ignore: readonly string[];
  /** Path below the root to walk; '' for all of it. What is ignored stays so when named here. */
  readonly scope?: string;
}

interface Folder {
  readonly path: string;
  readonly at: string;
  readonly real: string;
  readonly rules: IgnoreRules;
  /** Entered by a link, here or further up: its files are listed by their own paths, too. */
  readonly byLink: boolean;
  /** The folders that it lies in, by the way they were entered. */
  readonly above: Folder | null;
}

/**
 * Meets every file of a source that belongs into the index, the files of a folder in the order of their names before
 * those of its subfolders. Synchronous, for worker threads.
 */
export class Walk implements Iterable<Found> {
  /** Folders that could not be read, with the reason: nothing below them may be taken for deleted. */
  readonly unread: string[] = [];
  readonly #root: Root;
  readonly #ignore: readonly string[];
  readonly #scope: readonly string[];
  /** Real folders that a link was followed to: each once, or links to and fro would multiply without end. */
  readonly #linked = new Set<string>();

  constructor(root: Root, { ignore, scope = '' }: WalkOptions) {
    this.#root = root;
    this.#ignore = ignore;
    this.#scope = scope === '' ? [] : scope.split('/');
  }

  *[Symbol.iterator](): Generator<Found> {
    const { real, isFile } = this.#root;
    if (isFile) {
      if (this.#scope.length === 0) yield { path: '', at: real, byLink: false };
      return;
    }
    const rules = rulesAbove(real, this.#ignore);
    const waiting: Folder[] = [{ path: '', at: real, real, rules, byLink: false, above: null }];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const subfolders: Folder[] = [];
      yield* this.#content(folder, subfolders);
      waiting.push(...subfolders.reverse());
    }
  }

  *#content(folder: Folder, subfolders: Folder[]): Generator<Found> {
    const content = readFolder(folder.at, folder.real);
    if (content === tooLong) {
      yield { path: folder.path, skip: skipReasons.tooLong };
      return;
    }
    if (typeof content === 'string') {
      if (folder.above === null) throw rootUnread(folder.at, content);
      this.unread.push(`${folder.path} (${content})`);
      return;
    }
    const { entries, undecodable } = content;
    const rules = folder.rules.inside(folder.path, folder.at, (name) =>
      entries.some((entry) => entry.name === name),
    );
    const inside = { ...folder, rules };
    const wanted = this.#nameWantedIn(folder);
    for (const entry of entries) {
      if (wanted !== null && entry.name !== wanted) continue;
      const found = this.#meet(entry, inside, subfolders);
      if (found !== null) yield found;
    }
    if (wanted !== null) return;
    for (const name of undecodable) yield { path: below(folder, name), skip: skipReasons.name };
  }

  /** The one name on the way to the scope, or null when all are wanted. */
  #nameWantedIn(folder: Folder): string | null {
    const depth = folder.path === '' ? 0 : folder.path.split('/').length;
    return this.#scope[depth] ?? null;
  }

  #meet(entry: Dirent, folder: Folder, subfolders: Folder[]): Found | null {
    const path = below(folder, entry.name);
    const at = below({ path: folder.at }, entry.name);
    if (entry.isSymbolicLink()) return this.#meetLink(path, at, folder, subfolders);
    const isFolder = entry.isDirectory();
    if (this.#root.withheld.has(at)) return null;
    if (folder.rules.ignoring(path, isFolder, at) !== null) return null;
    if (isFolder) {
      const real = below({ path: folder.real }, entry.name);
      subfolders.push({ ...folder, path, at, real, above: folder });
      return null;
    }
    return entry.isFile()
      ? { path, at, byLink: folder.byLink }
      : { path, skip: skipReasons.special };
  }

  /** A link counts as what it leads to, for the ignore rules too. */
  #meetLink(path: string, at: string, folder: Folder, subfolders: Folder[]): Found | null {
    const target = targetOf(at);
    if (folder.rules.ignoring(path, target?.kind === 'folder', at) !== null) return null;
    const skip = skipReasonOf(this.#root, target);
    if (skip !== null || target === null) return { path, skip: skip ?? skipReasons.linkBroken };
    const { real, kind } = target;
    if (kind === 'file') return { path, at: real, byLink: true };
    for (let above: Folder | null = folder; above !== null; above = above.above) {
      if (above.real === real) return { path, skip: skipReasons.linkLoop };
    }
    if (this.#linked.has(real)) return { path, skip: skipReasons.linkAgain };
    this.#linked.add(real);
    subfolders.push({ ...folder, path, at: real, real, byLink: true, above: folder });
    return null;
  }
}

function rootUnread(path: string, reason: string): TroveError {
  return new TroveError('connector_unhealthy', `The folder ${path} cannot be read: ${reason}.`, {
    suggestions: ['Give the user that the server runs as the right to read it.'],
  });
}

function below(folder: { readonly path: string }, name: string): string {
  const { path } = folder;
  return path === '' || path.endsWith('/') ? path + name : `${path}/${name}`;
}
