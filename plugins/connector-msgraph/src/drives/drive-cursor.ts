import type { Drive } from './delta.js';
import { DriveTree, type StoredTree } from './drive-tree.js';

const version = 1;

/** A drive at the end of a sync. */
export interface DriveState {
  readonly drive: Drive;
  /** The link to the changes since then. */
  readonly link: string;
  readonly tree: DriveTree;
}

export type DriveStates = ReadonlyMap<string, DriveState>;

/** Returns the JSON of the state of all drives. `settings`: what decides which items the source has. */
export function serializeStates(states: DriveStates, settings: string): unknown {
  const drives = [...states.values()].map(({ drive, link, tree }) => ({
    drive,
    link,
    items: tree.stored(),
  }));
  return { v: version, settings, drives };
}

/** Returns null for another format or other settings. */
export function parseStates(value: unknown, settings: string): DriveStates | null {
  const stored: { readonly v?: unknown; readonly settings?: unknown; readonly drives?: unknown } =
    Object(value);
  if (stored.v !== version || stored.settings !== settings || !Array.isArray(stored.drives))
    return null;
  const states = new Map<string, DriveState>();
  for (const each of stored.drives) {
    const { drive, link, items }: StoredState = Object(each);
    if (drive === undefined || link === undefined || !Array.isArray(items)) return null;
    states.set(drive.key, { drive, link, tree: new DriveTree(items) });
  }
  return states;
}

interface StoredState {
  readonly drive?: Drive;
  readonly link?: string;
  readonly items?: StoredTree;
}
