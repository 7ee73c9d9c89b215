import { TroveError } from '@trove/core';

import { readOuterRules, rulesAbove } from '../ignore/outer-rules.js';
import type { IgnoreRules } from '../ignore/rules.js';
import { skipReasons } from '../source/entries.js';
import type { Root } from '../source/root.js';
import { readFolder, pathTooLong, type FolderEntry } from './folder.js';
import { linkReason, skipReasonOf, resolveLink } from './link.js';

/** A regular file, or an entry that must not be read with the reason. */
export type WalkItem =
  | { readonly path: string; readonly realPath: string }
  | { readonly path: string; readonly skip: string };

export interface WalkOptions {
  /** The configured patterns. */
  readonly ignore: readonly string[];
  /** Paths below the root to walk. Default: all. Ignored entries in this list stay ignored. */
  readonly paths?: readonly string[];
}

/** A part of a walk, which any thread can run. */
export interface WalkPart {
  /** The path of a folder. */
  readonly path: string;
  /** Whether the part includes the subfolders. */
  readonly isDeep: boolean;
  /** The first name in the folder. Default: all names from the start. */
  readonly from?: string;
  /** The name after the last one. Default: all names to the end. */
  readonly to?: string;
}

/** The requested names in a folder, each with its own tree. An empty map requests the whole folder. */
type PathTree = Map<string, PathTree>;

const allPaths: PathTree = new Map();

export interface PendingFolder {
  readonly path: string;
  /** Absolute path without links. */
  readonly realPath: string;
  readonly rules: IgnoreRules;
  readonly paths: PathTree;
}

/** A folder that was read: what a walk yields for it, and where the walk continues. */
export interface ExpandedFolder {
  readonly items: readonly WalkItem[];
  /** In walk order. */
  readonly subfolders: readonly PendingFolder[];
  /** All names in order. Null for an unreadable folder. */
  readonly names: readonly string[] | null;
}

/**
 * Yields the indexable files of a source: the files of a folder by name, then its subfolders. Each file is visited once,
 * at its real location. Links are reported but not followed. Blocks, so it runs in worker threads.
 */
export class Walk implements Iterable<WalkItem> {
  /** Unreadable folders with the reason. Files below them must not count as deleted. */
  readonly unreadable: string[] = [];
  readonly #root: Root;
  readonly #ignore: readonly string[];
  readonly #paths: PathTree;
  #parent: { readonly path: string; readonly rules: IgnoreRules } | null = null;
  #last: { readonly realPath: string; readonly content: ReturnType<typeof readFolder> } | null =
    null;

  constructor(root: Root, { ignore, paths = [''] }: WalkOptions) {
    this.#root = root;
    this.#ignore = ignore;
    this.#paths = pathTreeOf(paths);
  }

  *[Symbol.iterator](): Generator<WalkItem> {
    const top = this.top();
    if (top !== null) yield* this.#below(top);
    else if (this.#paths.size === 0) yield { path: '', realPath: this.#root.real };
  }

  /** Returns the folder that the walk starts in. Null if the source is a file. */
  top(): PendingFolder | null {
    const { real, isFile } = this.#root;
    if (isFile) return null;
    const rules = readOuterRules(this.#root, this.#ignore);
    return { path: '', realPath: real, rules, paths: this.#paths };
  }

  /** Yields the items of one part. */
  *part(part: WalkPart): Generator<WalkItem> {
    const { path, isDeep } = part;
    const realPath = path === '' ? this.#root.real : joinPath({ path: this.#root.real }, path);
    const rules = this.#rulesAbove(path);
    const folder: PendingFolder = { path, realPath, rules, paths: allPaths };
    if (isDeep) yield* this.#below(folder);
    else yield* this.#content(folder, [], this.#readAgain(realPath), part);
  }

  /** Reads one folder without the folders below it. */
  expand(folder: PendingFolder): ExpandedFolder {
    const content = readFolder(folder.realPath);
    const subfolders: PendingFolder[] = [];
    const items = [...this.#content(folder, subfolders, content)];
    const isRead = typeof content === 'object';
    return { items, subfolders, names: isRead ? content.entries.map(({ name }) => name) : null };
  }

  *#below(top: PendingFolder): Generator<WalkItem> {
    const pending = [top];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const subfolders: PendingFolder[] = [];
      yield* this.#content(folder, subfolders, readFolder(folder.realPath));
      pending.push(...subfolders.reverse());
    }
  }

  /** Keeps the rules of the last parent, because parts with the same parent are neighbours. */
  #rulesAbove(path: string): IgnoreRules {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (path === '') return rulesAbove(this.#root, this.#ignore, path);
    if (this.#parent?.path !== parent)
      this.#parent = { path: parent, rules: rulesAbove(this.#root, this.#ignore, path) };
    return this.#parent.rules;
  }

  /** Keeps the content of the last folder, because a large folder has several parts. */
  #readAgain(realPath: string): ReturnType<typeof readFolder> {
    if (this.#last?.realPath !== realPath) this.#last = { realPath, content: readFolder(realPath) };
    return this.#last.content;
  }

  *#content(
    folder: PendingFolder,
    subfolders: PendingFolder[],
    content: ReturnType<typeof readFolder>,
    { from, to }: Pick<WalkPart, 'from' | 'to'> = {},
  ): Generator<WalkItem> {
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
    const folderWithRules = { ...folder, rules };
    const { paths } = folder;
    for (const entry of entries) {
      const { name } = entry;
      if (paths.size > 0 && !paths.has(name)) continue;
      if (from !== undefined && name < from) continue;
      if (to !== undefined && name >= to) break;
      const item = this.#visit(entry, folderWithRules, subfolders);
      if (item !== null) yield item;
    }
    if (paths.size > 0 || to !== undefined) return;
    for (const name of undecodable) yield { path: joinPath(folder, name), skip: skipReasons.name };
  }

  #visit(entry: FolderEntry, folder: PendingFolder, subfolders: PendingFolder[]): WalkItem | null {
    const path = joinPath(folder, entry.name);
    const realPath = joinPath({ path: folder.realPath }, entry.name);
    if (entry.isSymbolicLink()) return this.#visitLink(path, realPath, folder.rules);
    const isFolder = entry.isDirectory();
    if (this.#root.deniedRoots.has(realPath)) return null;
    if (folder.rules.matchedRule(path, isFolder, realPath) !== null) return null;
    if (isFolder) {
      const paths = folder.paths.get(entry.name) ?? allPaths;
      subfolders.push({ path, realPath, rules: folder.rules, paths });
      return null;
    }
    return entry.isFile() ? { path, realPath } : { path, skip: skipReasons.special };
  }

  /** Ignore rules treat a link like its target. */
  #visitLink(path: string, realPath: string, rules: IgnoreRules): WalkItem | null {
    const target = resolveLink(realPath);
    if (rules.matchedRule(path, target?.kind === 'folder', realPath) !== null) return null;
    return { path, skip: skipReasonOf(this.#root, target) ?? linkReason(this.#root, target) };
  }
}

/** Builds the tree of requested paths. No path may be below another one. */
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
    suggestions: ['Allow the user that runs the server to read it.'],
  });
}

function joinPath(folder: { readonly path: string }, name: string): string {
  const { path } = folder;
  return path === '' || path.endsWith('/') ? path + name : `${path}/${name}`;
}
