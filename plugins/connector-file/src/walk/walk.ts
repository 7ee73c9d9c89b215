import { TroveError } from '@trove/core';

import { readOuterRules } from '../ignore/outer-rules.js';
import type { IgnoreRules } from '../ignore/rules.js';
import { skipReasons } from '../source/entries.js';
import type { Root } from '../source/root.js';
import { readFolder, pathTooLong, type FolderEntry } from './folder.js';
import { linkReason, skipReasonOf, resolveLink } from './link.js';

/** Something met by a walk: a regular file, or an entry that must not be read, with the reason. */
export type WalkItem =
  | { readonly path: string; readonly realPath: string }
  | { readonly path: string; readonly skip: string };

export interface WalkOptions {
  /** The configured patterns. */
  readonly ignore: readonly string[];
  /** Paths below the root to walk; default: everything. Ignored entries stay ignored even when named here. */
  readonly paths?: readonly string[];
}

/** What is wanted in a folder, by name; nothing for everything. */
type PathTree = Map<string, PathTree>;

const allPaths: PathTree = new Map();

interface PendingFolder {
  readonly path: string;
  /** Its real location, without links. */
  readonly realPath: string;
  readonly rules: IgnoreRules;
  readonly paths: PathTree;
}

/**
 * Visits every indexable file of a source: a folder's files by name, then its subfolders. Each is visited once, at its
 * real location; links are reported, not followed. Synchronous, for worker threads.
 */
export class Walk implements Iterable<WalkItem> {
  /** Folders that could not be read, with the reason: nothing below them may be treated as deleted. */
  readonly unreadable: string[] = [];
  readonly #root: Root;
  readonly #ignore: readonly string[];
  readonly #wanted: PathTree;

  constructor(root: Root, { ignore, paths = [''] }: WalkOptions) {
    this.#root = root;
    this.#ignore = ignore;
    this.#wanted = pathTreeOf(paths);
  }

  *[Symbol.iterator](): Generator<WalkItem> {
    const { real, isFile } = this.#root;
    if (isFile) {
      if (this.#wanted.size === 0) yield { path: '', realPath: real };
      return;
    }
    const rules = readOuterRules(this.#root, this.#ignore);
    const waiting: PendingFolder[] = [{ path: '', realPath: real, rules, paths: this.#wanted }];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const subfolders: PendingFolder[] = [];
      yield* this.#content(folder, subfolders);
      waiting.push(...subfolders.reverse());
    }
  }

  *#content(folder: PendingFolder, subfolders: PendingFolder[]): Generator<WalkItem> {
    const content = readFolder(folder.realPath);
    if (content === pathTooLong) {
      yield { path: folder.path, skip: skipReasons.tooLong };
      return;
    }
    if (typeof content === 'string') {
      if (folder.path === '') throw unreadableRootError(this.#root.name, content);
      this.unreadable.push(`${folder.path} (${content})`);
      return;
    }
    const { entries, undecodable } = content;
    const rules = folder.rules.withFolder(folder.path, folder.realPath, (name) =>
      entries.some((entry) => entry.name === name),
    );
    const inside = { ...folder, rules };
    const { paths: wanted } = folder;
    for (const entry of entries) {
      if (wanted.size > 0 && !wanted.has(entry.name)) continue;
      const found = this.#meet(entry, inside, subfolders);
      if (found !== null) yield found;
    }
    if (wanted.size > 0) return;
    for (const name of undecodable) yield { path: joinPath(folder, name), skip: skipReasons.name };
  }

  #meet(entry: FolderEntry, folder: PendingFolder, subfolders: PendingFolder[]): WalkItem | null {
    const path = joinPath(folder, entry.name);
    const at = joinPath({ path: folder.realPath }, entry.name);
    if (entry.isSymbolicLink()) return this.#meetLink(path, at, folder.rules);
    const isFolder = entry.isDirectory();
    if (this.#root.deniedRoots.has(at)) return null;
    if (folder.rules.matchedRule(path, isFolder, at) !== null) return null;
    if (isFolder) {
      const wanted = folder.paths.get(entry.name) ?? allPaths;
      subfolders.push({ path, realPath: at, rules: folder.rules, paths: wanted });
      return null;
    }
    return entry.isFile() ? { path, realPath: at } : { path, skip: skipReasons.special };
  }

  /** Ignore rules treat a link like its target. */
  #meetLink(path: string, at: string, rules: IgnoreRules): WalkItem | null {
    const target = resolveLink(at);
    if (rules.matchedRule(path, target?.kind === 'folder', at) !== null) return null;
    return { path, skip: skipReasonOf(this.#root, target) ?? linkReason(this.#root, target) };
  }
}

/** None of the paths is below another. */
function pathTreeOf(paths: readonly string[]): PathTree {
  const root: PathTree = new Map();
  for (const path of paths) {
    if (path === '') return allPaths;
    let folder = root;
    for (const name of path.split('/')) {
      const inside = folder.get(name) ?? new Map();
      folder.set(name, inside);
      folder = inside;
    }
  }
  return root;
}

function unreadableRootError(name: string, reason: string): TroveError {
  return new TroveError('connector_unhealthy', `The folder ${name} cannot be read: ${reason}.`, {
    suggestions: ['Give the user that the server runs as the right to read it.'],
  });
}

function joinPath(folder: { readonly path: string }, name: string): string {
  const { path } = folder;
  return path === '' || path.endsWith('/') ? path + name : `${path}/${name}`;
}
