import { loadCursor, storeCursor } from '@trove/connector-kit';
import type { HttpService } from '@trove/connector-kit/http';
import {
  TroveError,
  type Change,
  type ChangesRequest,
  type Entry,
  type ListRequest,
} from '@trove/core';

import { readDelta, readDrive, skipUnreadable, type Drive, type DriveDelta } from './delta.js';
import { parseStates, serializeStates, type DriveState, type DriveStates } from './drive-cursor.js';
import { entryOf, isFolder, type DriveItem } from './drive-item.js';
import type { DriveList, ListDrives } from './drive-list.js';
import { DriveTree } from './drive-tree.js';

export interface DriveSource {
  readonly service: HttpService;
  readonly listDrives: ListDrives;
  /** What decides which items the source has. Another value makes the next sync list everything. */
  readonly settings: string;
  /** The folder of the drive that is indexed. Empty: everything. */
  readonly folder: string;
  readonly cacheFolder: string | undefined;
  /** Receives the identity of each listed path. */
  readonly remember: (path: string, identity: string) => void;
}

/** What one sync shares. */
interface Sync {
  readonly source: DriveSource;
  readonly signal: AbortSignal;
  readonly warn: (sentence: string) => void;
}

/** Yields what changed in the drives of a source since a cursor. */
export async function* driveChanges(
  source: DriveSource,
  { cursor, resume, commit, signal, warn = () => undefined }: ChangesRequest,
): AsyncGenerator<Change, void, undefined> {
  const { cacheFolder, settings } = source;
  const sync: Sync = { source, signal, warn };
  const list = await source.listDrives(signal);
  const load = async (value: unknown): Promise<DriveStates | null> =>
    parseStates(await loadCursor(value, cacheFolder), settings);
  const save = (states: DriveStates): Promise<unknown> =>
    storeCursor(serializeStates(states, settings), cursor, cacheFolder);
  const found = await load(resume);
  const known = found === null ? await load(cursor) : null;
  const states = known === null ? null : yield* changesSince(sync, list, known);
  if (states !== null) {
    commit(await save(states));
    return;
  }
  if (cursor !== undefined && found === null) yield { reset: true };
  const all = new Map(found ?? []);
  const gap = yield* listDrives(sync, list, all, save);
  commit(await save(all));
  if (gap !== null) throw new TroveError('listing_incomplete', gap);
}

/** Yields all files of a source. */
export async function* driveEntries(
  source: DriveSource,
  { signal, warn = () => undefined }: ListRequest,
): AsyncGenerator<Entry, void, undefined> {
  const sync: Sync = { source, signal, warn };
  const list = await source.listDrives(signal);
  const changes = listDrives(sync, list, new Map(), () => Promise.resolve(null));
  for (let next = await changes.next(); ; next = await changes.next()) {
    if (next.done === true) {
      if (next.value !== null) throw new TroveError('listing_incomplete', next.value);
      return;
    }
    if ('entry' in next.value) yield next.value.entry;
  }
}

/** Lists the drives that `states` does not have, and adds them. Returns the reason why the listing is incomplete, or null. */
async function* listDrives(
  sync: Sync,
  { drives, skipped }: DriveList,
  states: Map<string, DriveState>,
  save: (states: DriveStates) => Promise<unknown>,
): AsyncGenerator<Change, string | null, undefined> {
  const gaps = [...skipped.values()];
  const rest = drives.filter(({ key }) => !states.has(key));
  for (const [at, drive] of rest.entries()) {
    const state = yield* listDrive(sync, drive, new Map());
    if (typeof state === 'string') gaps.push(state);
    else states.set(drive.key, state);
    if (at === rest.length - 1 || gaps.length > 0) continue;
    const checkpoint = await save(states);
    if (checkpoint !== null && JSON.stringify(checkpoint).length < maxCheckpointChars)
      yield { checkpoint };
  }
  for (const gap of gaps) sync.warn(gap);
  return gaps[0] ?? null;
}

const maxCheckpointChars = 95_000;

/** Yields all files of a drive, and removes the others of `before`. Returns a sentence if the drive cannot be read. */
async function* listDrive(
  sync: Sync,
  drive: Drive,
  before: ReadonlyMap<string, string>,
): AsyncGenerator<Change, DriveState | string, undefined> {
  const delta = await readDrive(sync.source.service, drive, sync.signal);
  if ('none' in delta) return delta.say;
  const tree = new DriveTree();
  for (const item of delta.items.values()) tree.apply(item);
  // Without it, no file would have a path, and all of them would count as deleted.
  if (delta.items.size > 0 && !tree.hasRoot)
    throw new TroveError('connector_unhealthy', 'Microsoft Graph listed a drive without its root', {
      retryable: true,
      suggestions: [],
    });
  yield* fileChanges(sync, drive, tree, delta.items, before);
  return { drive, link: delta.link, tree };
}

/** Yields the changes since a cursor. Returns null if everything must be listed again. */
async function* changesSince(
  sync: Sync,
  { drives, skipped }: DriveList,
  known: DriveStates,
): AsyncGenerator<Change, DriveStates | null, undefined> {
  const { source, warn, signal } = sync;
  const states = new Map<string, DriveState>();
  const changed: { readonly before: DriveState; readonly delta: DriveDelta }[] = [];
  const unread: { readonly drive: Drive; readonly before: DriveState | null }[] = [];
  for (const drive of drives) {
    const before = known.get(drive.key) ?? null;
    if (before === null || before.drive.folder !== drive.folder) {
      unread.push({ drive, before });
      continue;
    }
    const delta = await readDelta(source.service, drive, before.link, signal);
    if (!('none' in delta)) {
      const isMoved = [...delta.items.values()].some((item) => before.tree.moves(item));
      if (isMoved) unread.push({ drive, before });
      else changed.push({ before, delta });
    } else if (delta.none === 'expired') unread.push({ drive, before });
    else {
      warn(delta.say);
      states.set(drive.key, before);
    }
  }
  if (changed.length === 0 && unread.length > 0 && states.size === 0) return null;
  for (const sentence of skipped.values()) warn(sentence);
  yield* vanishedDrives(sync, known, { drives, skipped }, states);
  for (const { before, delta } of changed) {
    const tree = before.tree.copy();
    for (const item of delta.items.values()) tree.apply(item);
    const { drive } = before;
    if (delta.items.size > 0)
      yield* fileChanges(sync, drive, tree, delta.items, pathsIn(source, before));
    states.set(drive.key, { drive, link: delta.link, tree });
  }
  for (const { drive, before } of unread) {
    const paths = before === null ? new Map<string, string>() : pathsIn(source, before);
    const state = yield* listDrive(sync, drive, paths);
    if (typeof state !== 'string') states.set(drive.key, state);
    else {
      warn(state);
      if (before !== null) states.set(drive.key, before);
    }
  }
  return states;
}

/** Removes the files of drives that do not exist any more. Those of a site that cannot be read are kept. */
async function* vanishedDrives(
  { source, signal }: Sync,
  known: DriveStates,
  { drives, skipped }: DriveList,
  states: Map<string, DriveState>,
): AsyncGenerator<Change, void, undefined> {
  const listed = new Set(drives.map(({ key }) => key));
  const sites = new Set(drives.map(({ site }) => site));
  for (const [key, state] of known) {
    if (listed.has(key)) continue;
    const { site } = state.drive;
    const isHidden = skipped.size > 0 && (skipped.has(site) || !sites.has(site));
    // The search of sites may leave one out for a while.
    if (isHidden || (!sites.has(site) && (await exists(source.service, site, signal))))
      states.set(key, state);
    else for (const path of pathsIn(source, state).values()) yield { removed: path };
  }
}

async function exists(service: HttpService, site: string, signal: AbortSignal): Promise<boolean> {
  const request = { get: () => `/v1.0/sites/${site}`, query: { $select: 'id' } };
  const errors = [{ when: { status: 404 }, do: 'absent' }, ...skipUnreadable] as const;
  const reply = await service.send(request, { signal, errors });
  return !('none' in reply) || reply.none !== 'absent';
}

/** Yields the entries of changed files, and the removals of paths that no file has any more. */
function* fileChanges(
  { source, signal }: Sync,
  drive: Drive,
  tree: DriveTree,
  items: ReadonlyMap<string, DriveItem>,
  before: ReadonlyMap<string, string>,
): Generator<Change, void, undefined> {
  const after = pathsIn(source, { drive, tree });
  for (const item of items.values()) {
    const path = after.get(item.id);
    if (path === undefined || item.deleted !== undefined || isFolder(item)) continue;
    yield { entry: locate(source, drive, item, path) };
    signal.throwIfAborted();
  }
  const paths = new Set(after.values());
  for (const path of before.values()) if (!paths.has(path)) yield { removed: path };
}

function locate(source: DriveSource, { key }: Drive, item: DriveItem, path: string): Entry {
  const identity = key === '' ? item.id : `${key}/${item.id}`;
  source.remember(path, identity);
  return entryOf(item, path, identity);
}

/** Returns the paths of the indexed files of a drive in the source, by their ids. */
function pathsIn(
  { folder }: DriveSource,
  { drive, tree }: Pick<DriveState, 'drive' | 'tree'>,
): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const [id, path] of tree.filePaths()) {
    if (folder !== '' && !path.startsWith(`${folder}/`)) continue;
    paths.set(id, drive.folder === '' ? path : `${drive.folder}/${path}`);
  }
  return paths;
}
