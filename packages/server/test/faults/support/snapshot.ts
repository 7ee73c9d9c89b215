import { createHash } from 'node:crypto';
import { connect } from '@lancedb/lancedb';
import type { MetadataStore, ObjectRecord } from '@trove/core/store';
import * as assert from 'uvu/assert';

type Cells = Readonly<Record<string, unknown>>;

/** Everything that an ingest leaves. */
export interface Snapshot {
  readonly rows: readonly Cells[];
  readonly objects: readonly Cells[];
}

/** The group of rows that the index reserves for itself. */
const ownGroup = '';
const shown = 3;

export async function snapshot(indexFolder: string, store: MetadataStore): Promise<Snapshot> {
  return { rows: await rowsOf(indexFolder), objects: await objectsOf(store) };
}

/** Reads the rows from the table itself, which shows duplicate rows. */
async function rowsOf(folder: string): Promise<Cells[]> {
  const database = await connect(folder);
  const table = await database.openTable('default_chunks');
  try {
    const raw: Cells[] = await table.query().toArray();
    return raw.filter((row) => row['group'] !== ownGroup).map(plain);
  } finally {
    table.close();
    database.close();
  }
}

/** The comparable cells of a row: without its revision and its load, which change at each write. */
function plain(row: Cells): Cells {
  const names = Object.keys(row).filter((name) => name !== 'revision' && name !== 'load');
  return Object.fromEntries(names.sort().map((name) => [name, scalar(row[name])]));
}

function scalar(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return value;
  const items = [...(value as Iterable<unknown>)];
  return createHash('sha256').update(JSON.stringify(items)).digest('hex');
}

async function objectsOf(store: MetadataStore): Promise<Cells[]> {
  const objects: ObjectRecord[] = [];
  for (const { id } of await store.sources.list()) {
    let after: string | null = null;
    for (;;) {
      const page: ObjectRecord[] = await store.objects.list(id, { prefix: '', after, limit: 1000 });
      objects.push(...page);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.path;
    }
  }
  return objects.map((object) => ({ ...object, stated: JSON.stringify(object.stated) }));
}

/**
 * Removes the revisions of objects, which may differ between equal snapshots. An object from listings has a revision, but
 * one from single records has none. A killed server also restarts its counter of changes.
 */
export function withoutRevisions({ rows, objects }: Snapshot): Snapshot {
  return { rows, objects: objects.map(({ revision: _, ...rest }) => rest) };
}

/** Compares the rows, and reports missing, unexpected and different ones. */
export function assertSame(actual: Snapshot, expected: Snapshot, when: string): void {
  assert.ok(expected.rows.length > 0 && expected.objects.length > 0, `${when}: nothing to compare`);
  for (const part of ['objects', 'rows'] as const) {
    const problems = differences(byId(actual[part]), byId(expected[part]));
    const some = problems.slice(0, shown).join('\n  ');
    assert.ok(problems.length === 0, `${when}: ${problems.length} ${part} are wrong:\n  ${some}`);
  }
}

function differences(
  actual: ReadonlyMap<string, readonly Cells[]>,
  expected: ReadonlyMap<string, readonly Cells[]>,
): string[] {
  return [...new Set([...actual.keys(), ...expected.keys()])].flatMap((id) => {
    const [left, ...moreLeft] = actual.get(id) ?? [];
    const [right, ...moreRight] = expected.get(id) ?? [];
    if (left === undefined) return [`missing: ${JSON.stringify(right)}`];
    if (right === undefined) return [`too many: ${JSON.stringify(left)}`];
    if (moreLeft.length !== moreRight.length) return [`more than once: ${JSON.stringify(left)}`];
    const names = Object.keys({ ...left, ...right }).filter((name) => left[name] !== right[name]);
    const pairs = names.map((name) => `${name}: ${String(left[name])} for ${String(right[name])}`);
    return pairs.length === 0 ? [] : [`${id}: ${pairs.join('; ').slice(0, 1000)}`];
  });
}

function byId(rows: readonly Cells[]): Map<string, Cells[]> {
  const groups = new Map<string, Cells[]>();
  for (const row of rows) {
    const id = String(row['id']);
    groups.set(id, [...(groups.get(id) ?? []), row]);
  }
  return groups;
}
