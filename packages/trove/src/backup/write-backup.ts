import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { TroveError } from '@trove/core';
import type { VectorIndex } from '@trove/core/index';
import type { MetadataStore } from '@trove/core/store';
import type { ResolvedSettings } from '../settings/resolve.js';
import { copyTree, syncFile, syncTree, totalsOf } from './copy-tree.js';
import {
  homeFiles,
  homeFolders,
  indexName,
  manifestName,
  manifestOf,
  metadataName,
  uploadsName,
} from './manifest.js';

const maxAttempts = 5;

export interface BackupParts {
  readonly settings: ResolvedSettings;
  readonly store: Pick<MetadataStore, 'snapshot' | 'sources' | 'graphs' | 'generations'>;
  readonly index: Pick<VectorIndex, 'snapshot'>;
  readonly version: string;
  readonly signal: AbortSignal;
}

/**
 * Writes a backup of a running server. The index is of a later moment than the metadata, as if the server were killed
 * between writing rows and storing their outcome. Returns a warning for each part that the backup lacks.
 */
export async function writeBackup(parts: BackupParts, to: string): Promise<string[]> {
  const { settings, store, index, version, signal } = parts;
  if (store.snapshot === undefined) {
    const { backend } = settings.metadata;
    throw new TroveError('not_supported', `The metadata store ${backend} has no snapshots`);
  }
  await mkdir(to, { recursive: true, mode: 0o700 });
  const hasIndex = index.snapshot !== undefined && isAbsolute(settings.index.uri);
  await takeData(parts, to, hasIndex);
  for (const name of [...homeFiles, ...homeFolders])
    await copyTree(join(settings.home, name), join(to, name), signal);
  await syncTree(to);
  signal.throwIfAborted();
  const manifest = manifestOf({
    version,
    createdAt: new Date().toISOString(),
    metadata: settings.metadata.backend,
    hasIndex,
    ...(await totalsOf(to)),
  });
  await writeDurably(join(to, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  return hasIndex ? [] : [`The index at ${withoutQuery(settings.index.uri)} is not in the backup.`];
}

/** Repeats the snapshots if data was replaced meanwhile, because the metadata then names deleted data. */
async function takeData(parts: BackupParts, to: string, hasIndex: boolean): Promise<void> {
  const { settings, store, index, signal } = parts;
  const [metadata, rows, uploads] = [metadataName, indexName, uploadsName].map((name) =>
    join(to, name),
  );
  if (metadata === undefined || rows === undefined || uploads === undefined) return;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    signal.throwIfAborted();
    for (const path of [metadata, rows, uploads]) await rm(path, { recursive: true, force: true });
    const before = await currentData(store);
    let isWhole = false;
    const takeUploads = async (): Promise<void> => {
      await copyTree(settings.uploads.path, uploads, signal);
      isWhole = (await currentData(store)) === before;
      if (!isWhole) throw new TroveError('storage_unavailable', 'The data changed meanwhile');
    };
    try {
      await store.snapshot?.(metadata);
      if (hasIndex) await index.snapshot?.(rows, { signal, onTaken: takeUploads });
      else await takeUploads();
      return;
    } catch (error) {
      if (isWhole || (await currentData(store)) === before) throw error;
    }
  }
  throw new TroveError(
    'storage_unavailable',
    'Graphs, uploads or the embedder change too fast for a backup',
    {
      suggestions: ['Try again when they are not being replaced.'],
    },
  );
}

/** Names the generations of the index and of graphs, and the trees of uploads that are current. */
async function currentData({
  sources,
  graphs,
  generations,
}: BackupParts['store']): Promise<string> {
  const [registered, built, others] = await Promise.all([
    sources.list(),
    graphs.list(),
    generations.listOthers(),
  ]);
  return JSON.stringify([
    others
      .toSorted((one, other) => one.number - other.number)
      .map(({ number, isDropped }) => [number, isDropped]),
    registered.filter(({ tree }) => tree !== null).map(({ id, tree }) => [id, tree]),
    built.map(({ name, generation }) => [name, generation]),
  ]);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await syncFile(unfinished);
  await rename(unfinished, path);
}

function withoutQuery(uri: string): string {
  return uri.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/, '');
}
