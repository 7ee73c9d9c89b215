import type {
  Change,
  ConnectorRecord,
  Entry,
  JobRecord,
  MetadataStore,
  NewTask,
  ObjectRecord,
} from '@trove/core';
import { objectId } from '../ids.js';
import type { GuardedConnector } from '../sources/guarded-connector.js';
import type { Planner } from './object-settings.js';

const batchSize = 500;
/** A part of the listing waits at most this long, so that first objects are searchable soon. */
const batchMs = 100;

export interface ListingContext {
  readonly store: MetadataStore;
  readonly planner: Planner;
  readonly worker: string;
  readonly signal: AbortSignal;
  /** Objects that are unchanged have to be listed, too. */
  readonly everything: boolean;
  /** Called when there are new tasks. */
  readonly onTasks: () => void;
}

export interface ListingResult {
  /** The lease was lost: another worker goes on with the job. */
  readonly lost: boolean;
  /** The cursor to keep when the job succeeds; undefined: none. */
  readonly state: unknown;
}

/** Lists a source and writes what there is to do as tasks. Throws what the connector throws. */
export async function listSource(
  context: ListingContext,
  job: JobRecord,
  record: ConnectorRecord,
  connector: GuardedConnector,
): Promise<ListingResult> {
  const { signal, store, worker, everything } = context;
  const { incremental } = await connector.capabilities(signal);
  const since = job.since === null ? {} : { since: job.since };
  let state: unknown;
  const changes = incremental
    ? connector.changes({
        ...since,
        signal,
        cursor: job.full || everything ? undefined : (record.state ?? undefined),
        commit: (cursor) => (state = cursor),
      })
    : asChanges(connector.list({ ...since, signal }));

  for await (const batch of batches(changes)) {
    const part = await planBatch(context, job, record, connector, batch);
    if (!(await store.recordListing(job.id, worker, part))) return { lost: true, state: undefined };
    if (part.tasks.length > 0) context.onTasks();
  }
  // Only a listing of everything proves that what it did not meet is gone.
  const complete = !incremental && job.since === null;
  const held = await store.finishListing(job.id, worker, complete);
  context.onTasks();
  return { lost: !held, state };
}

async function planBatch(
  { store, planner }: ListingContext,
  job: JobRecord,
  record: ConnectorRecord,
  connector: GuardedConnector,
  batch: readonly Change[],
): Promise<{ unchanged: string[]; tasks: NewTask[] }> {
  const entries = batch.flatMap((change) => ('entry' in change ? [change.entry] : []));
  const known = await knownObjects(store, record.id, entries);
  const unchanged: string[] = [];
  const tasks: NewTask[] = [];
  for (const change of batch) {
    if ('removed' in change) {
      tasks.push(deletion(record.id, change.removed));
      continue;
    }
    const { entry } = change;
    const before = known.byPath.get(entry.path);
    const plan = planner.plan(record.id, connector.rules, entry, before);
    const same = !job.full && plan.revision !== null && before?.revision === plan.revision;
    if (same) {
      unchanged.push(plan.objectId);
      continue;
    }
    const from = before === undefined ? known.byIdentity.get(entry.identity ?? '') : undefined;
    tasks.push({
      objectId: plan.objectId,
      path: entry.path,
      op: from === undefined ? 'upsert' : 'move',
      entry,
      fromObjectId: from?.id ?? null,
      priority: plan.priority,
    });
  }
  return { unchanged, tasks };
}

async function knownObjects(
  store: MetadataStore,
  connectorId: string,
  entries: readonly Entry[],
): Promise<{ byPath: Map<string, ObjectRecord>; byIdentity: Map<string, ObjectRecord> }> {
  const paths = entries.map(({ path }) => path);
  const byPath = new Map(
    (await store.objectsByPath(connectorId, paths)).map((object) => [object.path, object]),
  );
  const identities = entries
    .filter(({ path, identity }) => identity !== undefined && !byPath.has(path))
    .map(({ identity = '' }) => identity);
  const moved =
    identities.length === 0 ? [] : await store.objectsByIdentity(connectorId, identities);
  return { byPath, byIdentity: new Map(moved.map((object) => [object.identity ?? '', object])) };
}

function deletion(connectorId: string, path: string): NewTask {
  return {
    objectId: objectId(connectorId, path),
    path,
    op: 'delete',
    entry: null,
    fromObjectId: null,
    priority: 0,
  };
}

async function* asChanges(entries: AsyncIterable<Entry>): AsyncGenerator<Change, void, undefined> {
  for await (const entry of entries) yield { entry };
}

async function* batches(changes: AsyncIterable<Change>): AsyncGenerator<Change[], void, undefined> {
  let batch: Change[] = [];
  let deadline = Date.now() + batchMs;
  for await (const change of changes) {
    batch.push(change);
    if (batch.length < batchSize && Date.now() < deadline) continue;
    yield batch;
    batch = [];
    deadline = Date.now() + batchMs;
  }
  if (batch.length > 0) yield batch;
}
