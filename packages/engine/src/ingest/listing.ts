import type {
  Change,
  ConnectorRecord,
  Entry,
  JobRecord,
  ListingDifference,
  MetadataStore,
  NewTask,
} from '@trove/core';
import { objectId } from '../ids.js';
import type { ObjectRule } from '../connectors/object-rules.js';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import { priorityOf, type ObjectPlanner } from '../connectors/object-plan.js';

/** Flushes a part of the listing after at most this long, so that the first objects are searchable soon. */
const partLimits = { items: 2000, ms: 100 };

export interface ListingContext {
  readonly store: MetadataStore;
  readonly planner: ObjectPlanner;
  readonly worker: string;
  readonly signal: AbortSignal;
  /** Settles when the stored objects are ready for comparison; true if unchanged objects must be listed too. */
  readonly everything: Promise<boolean>;
  /** Called when there are new tasks. */
  readonly onTasks: () => void;
}

export interface ListedSource {
  readonly record: ConnectorRecord;
  readonly connector: GuardedConnector;
}

/**
 * Lists a source and stores the resulting tasks. False when the lease was lost: another worker continues the job.
 * Throws what the connector throws.
 */
export async function listSource(
  context: ListingContext,
  job: JobRecord,
  source: ListedSource,
): Promise<boolean> {
  const { signal, store, worker, everything } = context;
  const { record, connector } = source;
  const { incremental } = await connector.capabilities(signal);
  const fromStart = job.full || !incremental || (await everything);
  const cursor = fromStart ? undefined : (record.state ?? undefined);
  let hasAll = cursor === undefined;
  const known = await knownIdentity(store, record.id);
  const request = {
    ...(job.since === null ? {} : { since: job.since }),
    ...(known === null ? {} : { known }),
    signal,
  };
  const met = new Set<ObjectRule>();
  let state: unknown;
  const parts = readAhead(
    incremental
      ? connector.changesInParts(
          { ...request, cursor, commit: (next) => (state = next) },
          partLimits,
        )
      : asChanges(connector.listInParts(request, partLimits)),
    everything,
  );

  for await (const changes of parts) {
    hasAll ||= changes.some((change) => 'reset' in change);
    if (!(await takePart(context, job, source, changes, met))) return false;
  }
  // Only a full listing proves that what it does not contain is gone.
  const complete = hasAll && job.since === null;
  const notes = complete ? connector.rules.notesOn(met) : [];
  const held = await store.finishListing(job.id, worker, { complete, state, notes });
  context.onTasks();
  return held;
}

/** The identity of any one of the known objects; few of a source that has identities are without one. */
async function knownIdentity(store: MetadataStore, connectorId: string): Promise<string | null> {
  const some = await store.objectsAfter(connectorId, { prefix: '', after: null, limit: 100 });
  return some.find(({ identity }) => identity !== null)?.identity ?? null;
}

/** Adds tasks for what is not as it is known; false when the lease is lost. */
async function takePart(
  context: ListingContext,
  job: JobRecord,
  source: ListedSource,
  changes: readonly Change[],
  met: Set<ObjectRule>,
): Promise<boolean> {
  const { store, planner, worker, onTasks } = context;
  const planOf = await planner.plannerOf(source.connector);
  const { entries, removed } = await settled(source.connector, changes, context.signal);
  const revisions = new Map<string, string | null>();
  const rules = new Map<string, ObjectRule>();
  for (const [path, entry] of entries) {
    const { rule, revision } = planOf(entry);
    revisions.set(path, job.full ? null : revision);
    if (rule === null) continue;
    met.add(rule);
    rules.set(path, rule);
  }
  const difference = await store.compareListing(job.id, worker, revisions);
  if (difference === null) return false;
  const tasks = [
    ...Array.from(removed, (path) => deletion(source.record.id, path)),
    ...(await indexingTasks(store, source.record, entries, rules, difference)),
  ];
  if (tasks.length === 0) return true;
  const held = await store.addTasks(job.id, worker, tasks);
  if (held) onTasks();
  return held;
}

/** What changes amount to: the last one of an object wins. */
async function settled(
  connector: GuardedConnector,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<{ entries: Map<string, Entry>; removed: Set<string> }> {
  const entries = new Map<string, Entry>();
  const removed = new Set<string>();
  const isThere = (entry: Entry): void => {
    entries.set(entry.path, entry);
    removed.delete(entry.path);
  };
  const isGone = (path: string): void => {
    removed.add(path);
    entries.delete(path);
  };
  for (const change of changes) {
    if ('entry' in change) isThere(change.entry);
    else if ('removed' in change) isGone(change.removed);
    else if ('records' in change && !entries.has(change.path)) {
      const entry = await connector.stat(change.path, signal);
      if (entry === null) isGone(change.path);
      // It is read, whatever its fingerprint says.
      else isThere({ ...entry, fingerprint: null });
    }
  }
  return { entries, removed };
}

/** Tasks for changed and new objects, in listing order. */
async function indexingTasks(
  store: MetadataStore,
  record: ConnectorRecord,
  entries: ReadonlyMap<string, Entry>,
  rules: ReadonlyMap<string, ObjectRule>,
  { changed, added }: ListingDifference,
): Promise<NewTask[]> {
  const differing = new Set([...changed, ...added]);
  if (differing.size === 0) return [];
  const identities = added.flatMap((path) => entries.get(path)?.identity ?? []);
  const known = identities.length === 0 ? [] : await store.objectsByIdentity(record.id, identities);
  const byIdentity = new Map(known.map((object) => [object.identity, object.id]));
  const isNew = new Set(added);
  return Array.from(entries)
    .filter(([path]) => differing.has(path))
    .map(([path, entry]) => {
      const from = isNew.has(path) ? byIdentity.get(entry.identity ?? '') : undefined;
      return {
        objectId: objectId(record.id, path),
        path,
        op: from === undefined ? 'upsert' : 'move',
        entry,
        fromObjectId: from ?? null,
        priority: priorityOf(path, rules.get(path) ?? null),
      };
    });
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

async function* asChanges(
  parts: AsyncIterable<readonly Entry[]>,
): AsyncGenerator<Change[], void, undefined> {
  for await (const part of parts) yield part.map((entry) => ({ entry }));
}

/**
 * Requests each item while the previous one is still in use, and the first immediately, but yields it only once
 * `ready`.
 */
function readAhead<T>(
  items: AsyncGenerator<T, void, undefined>,
  ready: Promise<unknown>,
): AsyncIterable<T> {
  const ask = (): Promise<IteratorResult<T, void>> => {
    const asked = items.next();
    // A consumer that stops early never sees it fail.
    asked.catch(() => undefined);
    return asked;
  };
  let next = ask();
  return (async function* () {
    try {
      await ready;
      for (let step = await next; step.done !== true; step = await next) {
        next = ask();
        yield step.value;
      }
    } finally {
      await items.return();
    }
  })();
}
