import { lstatSync } from 'node:fs';

import type { ExpandedFolder, PendingFolder, Walk, WalkPart } from './walk.js';

/** Reading more folders would take longer than the threads then gain. */
const maxReads = 64;
const maxParts = 1000;
/** A folder with more names becomes several parts. */
const namesPerPart = 4096;
/** Each thread reads a folder again for its first part of it. */
const maxPartsPerFolder = 16;

interface FolderNode {
  readonly folder: PendingFolder;
  /** Bytes of the folder itself, which grow with its number of names. */
  readonly bytes: number;
  /** Null before the folder is read. */
  expanded: (ExpandedFolder & { readonly children: readonly FolderNode[] }) | null;
}

/**
 * Divides a walk into parts in walk order. Reads the largest folders near the top, so a part is a subtree, the files of
 * one folder, or some files of a large folder. Returns no parts if the walk is for a single file.
 */
export function divideWalk(walk: Walk): WalkPart[] {
  const top = findTop(walk);
  if (top === null) return [];
  const root: FolderNode = { folder: top, bytes: 0, expanded: null };
  const pending = [root];
  let folders = 1;
  for (let reads = 0; reads < maxReads && folders < maxParts; reads++) {
    const node = takeLargest(pending);
    if (node === null) break;
    const expanded = walk.expand(node.folder);
    if (expanded.names === null) continue;
    const children = expanded.subfolders.map(nodeOf);
    node.expanded = { ...expanded, children };
    pending.push(...children);
    folders += children.length;
  }
  return partsOf(root);
}

/** Returns the requested folder. Null if the walk requests a file or nothing that exists. */
function findTop(walk: Walk): PendingFolder | null {
  let top = walk.top();
  while (top !== null && top.paths.size > 0) {
    const { items, subfolders }: ExpandedFolder = walk.expand(top);
    top = items.length > 0 ? null : (subfolders[0] ?? null);
  }
  return top;
}

function nodeOf(folder: PendingFolder): FolderNode {
  return { folder, bytes: sizeOf(folder.realPath), expanded: null };
}

/** Returns 0 if the folder cannot be examined. The search reports the folder when it reads it. */
function sizeOf(realPath: string): number {
  try {
    return lstatSync(realPath, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** Removes the largest folder, or the first of several. */
function takeLargest(pending: FolderNode[]): FolderNode | null {
  let largest = 0;
  for (const [index, { bytes }] of pending.entries()) {
    if (bytes > (pending[largest]?.bytes ?? 0)) largest = index;
  }
  return pending.splice(largest, 1)[0] ?? null;
}

function partsOf({ folder: { path }, expanded }: FolderNode): WalkPart[] {
  if (expanded === null) return [{ path, isDeep: true }];
  const own = expanded.items.length === 0 ? [] : rangesOf(path, expanded.names ?? []);
  return [...own, ...expanded.children.flatMap(partsOf)];
}

function rangesOf(path: string, names: readonly string[]): WalkPart[] {
  const count = Math.min(maxPartsPerFolder, Math.max(1, Math.ceil(names.length / namesPerPart)));
  const size = Math.ceil(names.length / count);
  return Array.from({ length: count }, (_, index) => {
    const from = index === 0 ? undefined : names[index * size];
    const to = names[(index + 1) * size];
    return {
      path,
      isDeep: false,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
  });
}
