import { createHash } from 'node:crypto';
import { connect } from '@lancedb/lancedb';
import type { MetadataStore } from '@trove/core';
import * as assert from 'uvu/assert';

/** All that an ingest leaves, in an order of its own. */
export interface Snapshot {
  readonly rows: readonly string[];
  readonly objects: readonly string[];
}

/** The group of rows that the index keeps for itself. */
const ownGroup = '';

export async function snapshot(indexFolder: string, store: MetadataStore): Promise<Snapshot> {
  return { rows: await rowsOf(indexFolder), objects: await objectsOf(store) };
}

/** Every row of the table itself, so that a row that is there twice is seen twice. */
async function rowsOf(folder: string): Promise<string[]> {
  const database = await connect(folder);
  const table = await database.openTable('default_chunks');
  try {
    const raw: Record<string, unknown>[] = await table.query().toArray();
    return raw
      .filter((row) => row['group'] !== ownGroup)
      .map((row) => JSON.stringify([row['id'], row['group'], ...cellsOf(row)]))
      .sort();
  } finally {
    table.close();
    database.close();
  }
}

/** All cells but the revision, which is another one at each writing. */
function cellsOf(row: Readonly<Record<string, unknown>>): unknown[] {
  const names = ['id', 'group', 'revision', 'vector', 'facets'];
  const plain = Object.keys(row).filter((name) => !names.includes(name));
  return [
    ...plain.sort().map((name) => [name, row[name]]),
    ...['facets', 'vector'].map((name) => [name, digestOf(row[name])]),
  ];
}

function digestOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const items = Symbol.iterator in value ? [...(value as Iterable<unknown>)] : [];
  return createHash('sha256').update(JSON.stringify(items)).digest('hex');
}

async function objectsOf(store: MetadataStore): Promise<string[]> {
  const objects: string[] = [];
  for (const { id } of await store.connectors()) {
    let after: string | null = null;
    for (;;) {
      const page = await store.objectsAfter(id, { prefix: '', after, limit: 1000 });
      objects.push(...page.map((object) => JSON.stringify(object, Object.keys(object).sort())));
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.path;
    }
  }
  return objects.sort();
}

/** Compares row by row, and says which are missing and which should not be there. */
export function assertSame(actual: Snapshot, expected: Snapshot, when: string): void {
  assert.ok(expected.rows.length > 0 && expected.objects.length > 0, `${when}: nothing to compare`);
  for (const part of ['objects', 'rows'] as const) {
    const left = counted(actual[part]);
    const right = counted(expected[part]);
    const surplus = [...left].filter(([row, count]) => count > (right.get(row) ?? 0));
    const missing = [...right].filter(([row, count]) => count > (left.get(row) ?? 0));
    const shown = (some: readonly [string, number][]): string =>
      some
        .slice(0, 3)
        .map(([row, count]) => `\n  ${count} x ${row.slice(0, 600)}`)
        .join('');
    assert.ok(
      surplus.length === 0 && missing.length === 0,
      `${when}: ${surplus.length} ${part} too many:${shown(surplus)}\n` +
        `${missing.length} ${part} are missing:${shown(missing)}`,
    );
  }
}

function counted(rows: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}
