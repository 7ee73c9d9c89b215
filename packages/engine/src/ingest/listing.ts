import type {
  Change,
  ConnectorRecord,
  Entry,
  JobRecord,
  MetadataStore,
  NewTask,
  ObjectRevision,
} from '@trove/core';
import { objectId } from '../ids.js';
import type { GuardedConnector } from '../sources/guarded-connector.js';
import type { Planner } from './object-settings.js';
import { priorityOf } from './priority.js';

/** A part of the listing waits at most this long, so that first objects are searchable soon. */
const partLimits = { items: 1000, ms: 100 };

export interface ListingContext {
  readonly store: MetadataStore;
  readonly planner: Planner;
  readonly worker: string;
  readonly signal: AbortSignal;
  /** Settled when what is known may be compared with; true: unchanged objects have to be listed, too. */
  readonly everything: Promise<boolean>;
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
  const parts = readAhead(
    incremental
      ? connector.changesInParts(
          {
            ...since,
            signal,
            cursor: job.full || (await everything) ? undefined : (record.state ?? undefined),
            commit: (cursor) => (state = cursor),
          },
          partLimits,
        )
      : asChanges(connector.listInParts({ ...since, signal }, partLimits)),
    everything,
  );

  // A part is being written while the next one is compared and the one after it is listed.
  let written = Promise.resolve(true);
  try {
    for await (const changes of parts) {
      const plan = await planPart(context, job, record, connector, changes);
      if (!(await written)) return { lost: true, state: undefined };
      written = writePlan(context, job, plan);
      written.catch(() => undefined);
    }
    if (!(await written)) return { lost: true, state: undefined };
  } finally {
    await written.catch(() => undefined);
  }
  // Only a listing of everything proves that what it did not meet is gone.
  const complete = !incremental && job.since === null;
  const held = await store.finishListing(job.id, worker, complete);
  context.onTasks();
  return { lost: !held, state };
}

interface Plan {
  readonly unchanged: readonly string[];
  readonly tasks: readonly NewTask[];
}

async function writePlan(
  { store, worker, onTasks }: ListingContext,
  job: JobRecord,
  plan: Plan,
): Promise<boolean> {
  const held = await store.recordListing(job.id, worker, plan);
  if (held && plan.tasks.length > 0) onTasks();
  return held;
}

async function planPart(
  { store, planner }: ListingContext,
  job: JobRecord,
  record: ConnectorRecord,
  connector: GuardedConnector,
  changes: readonly Change[],
): Promise<Plan> {
  const entries = changes.flatMap((change) => ('entry' in change ? [change.entry] : []));
  const known = await knownObjects(store, record.id, entries);
  const unchanged: string[] = [];
  const tasks: NewTask[] = [];
  for (const change of changes) {
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
      priority: plan.rule?.priority ?? priorityOf(entry.path),
    });
  }
  return { unchanged, tasks };
}

/** What is known of listed objects by their paths, and of those that moved, maybe, by their identities. */
async function knownObjects(
  store: MetadataStore,
  connectorId: string,
  entries: readonly Entry[],
): Promise<{
  byPath: ReadonlyMap<string, ObjectRevision>;
  byIdentity: ReadonlyMap<string | null, ObjectRevision>;
}> {
  const paths = entries.map(({ path }) => path);
  const known = await store.revisionsByPath(connectorId, paths);
  const byPath = new Map(known.map((object) => [object.path, object]));
  const identities = entries.flatMap(({ path, identity }) =>
    identity === undefined || byPath.has(path) ? [] : [identity],
  );
  const moved =
    identities.length === 0 ? [] : await store.objectsByIdentity(connectorId, identities);
  return { byPath, byIdentity: new Map(moved.map((object) => [object.identity, object])) };
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
 * Asks for each item while the one before it is still in use, and for the first at once; that is handed out when all
 * is `ready`.
 */
function readAhead<T>(
  items: AsyncGenerator<T, void, undefined>,
  ready: Promise<unknown>,
): AsyncIterable<T> {
  const ask = (): Promise<IteratorResult<T, void>> => {
    const asked = items.next();
    // Whoever stops earlier never sees it fail.
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
