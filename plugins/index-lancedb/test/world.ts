import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Table } from '@lancedb/lancedb';
import { silentLogger, type CollectionSpec, type IndexGroup, type IndexRow } from '@trove/core';
import type { LanceCollection } from '../src/collection.js';
import { LanceIndex } from '../src/database.js';

export const dimension = 8;
export const spec = { name: 'default', dimension, embedding: 'test/8' };
export const live = { signal: new AbortController().signal };

/** Runs with a folder of its own, removed afterwards. */
export async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-lance-'));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function withCollection(
  folder: string,
  run: (collection: LanceCollection) => Promise<void>,
  opened: CollectionSpec = spec,
): Promise<void> {
  const index = await LanceIndex.connect(folder, undefined, silentLogger);
  try {
    await run(await index.collection(opened));
  } finally {
    await index.close();
  }
}

/** The table as LanceDB shows it. */
export async function withTable(
  folder: string,
  look: (table: Table) => Promise<void>,
): Promise<void> {
  const connection = await connect(folder);
  await look(await connection.openTable('default'));
  connection.close();
}

export function row(id: string, group: string, parts: Partial<IndexRow> = {}): IndexRow {
  return {
    id,
    group,
    scope: 'scope',
    source: `file://local/${group}`,
    kind: 'body',
    ordinal: 0,
    content: `content of ${id}`,
    locator: null,
    title: null,
    mediaType: null,
    connectorType: 'file',
    modifiedAt: null,
    fields: {},
    terms: `common ${group}`,
    pairs: '',
    vector: unit(Number.parseInt(id.replaceAll(/\D/g, ''), 10) || 0),
    ...parts,
  };
}

/** A group with so many rows, marked by who wrote it. */
export function groupOf(group: string, size: number, writer = ''): IndexGroup {
  const rows = Array.from({ length: size }, (_, ordinal) =>
    row(`${group}:${writer}:${ordinal}`, group, { ordinal, terms: `common ${writer}` }),
  );
  return { group, rows };
}

export function unit(seed: number): Float32Array {
  const vector = Float32Array.from({ length: dimension }, (_, i) => Math.sin(seed * 7 + i * 3));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
