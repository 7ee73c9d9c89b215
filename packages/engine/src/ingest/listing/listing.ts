import type { Entry, RecordsChange } from '@trove/core';
import type {
  ConnectorRecord,
  JobRecord,
  ListingDifference,
  MetadataStore,
  ObjectCatalog,
  NewTask,
  ObjectRecord,
} from '@trove/core/store';
import { objectId } from '../../sources/ids.js';
import { mergeState, storedStateOf } from '../../sources/connectors/stored-state.js';
import type { ObjectRule } from '../../sources/objects/object-rules.js';
import type {
  CheckedChange,
  GuardedConnector,
} from '../../sources/connectors/guarded-connector.js';
import {
  priorityOf,
  type ObjectPlan,
  type ObjectPlanner,
} from '../../sources/objects/object-plan.js';
import { addPlan, planParts, type ListingPart } from './listing-part.js';
import { SeenPaths } from './seen-paths.js';
import { maxNamedObjects, namedPaths, findUnseen } from './named-paths.js';
import type { ObjectToIndex } from '../tasks/prepare-object.js';
import type { TaskIntake } from '../training/task-intake.js';
import type { ApplyResult } from '../records/apply-changes.js';

/** Flushes a part of the listing after at most this long, so that the first objects are searchable soon. */
const partLimits = { items: 2000, ms: 100 };

export interface ListingContext {
  readonly store: Pick<MetadataStore, 'jobs' | 'listings' | 'objects'>;
  readonly planner: ObjectPlanner;
  readonly worker: string;
  readonly signal: AbortSignal;
  /** Settles when the stored objects are ready for comparison; true if unchanged objects must be listed too. */
  readonly mustListAll: Promise<boolean>;
  readonly intake: TaskIntake;
  /** Changes records of a known object at once. */
  readonly changeRecords: (
    object: ObjectToIndex,
    changes: readonly RecordsChange[],
  ) => Promise<ApplyResult>;
}

export interface ListingSource {
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
  source: ListingSource,
): Promise<boolean> {
  const { signal, store, worker, mustListAll: everything } = context;
  const { record, connector } = source;
  const [abilities, known] = await Promise.all([
    connector.capabilities(signal),
    findIdentity(store.objects, record.id),
  ]);
  const { incremental } = abilities;
  // Where not all is known yet, everything is to be listed.
  const paths = record.isComplete ? namedPaths(job, abilities) : null;
  const named = paths !== null && !(await everything) ? paths : null;
  const fromStart = job.full || !incremental || (await everything);
  const cursor = fromStart ? undefined : (storedStateOf(record.state).cursor ?? undefined);
  let hasAll = cursor === undefined;
  const said = new Set<string>();
  const request = {
    note: (sentence: string) => void said.add(sentence),
    ...(job.since === null ? {} : { since: job.since }),
    ...(named === null ? {} : { paths: named }),
    ...(known === null ? {} : { known }),
    signal,
  };
  // Only these ask what was met, and a full listing may be of any length.
  const tracksPaths = named !== null || incremental;
  const met: SeenObjects = {
    rules: new Set(),
    paths: tracksPaths ? new SeenPaths(maxNamedObjects) : null,
    moved: named === null ? null : new Set(),
  };
  let next: unknown;
  connector.state.reset();
  const onPause = (ms: number): Promise<void> => store.jobs.pause(job.id, ms);
  const commit = (given: unknown): void => void (next = given);
  const changes = incremental
    ? connector.changesInParts({ ...request, cursor, commit }, partLimits, onPause)
    : toChanges(connector.listInParts(request, partLimits, onPause));
  // While one part is compared, the next one is made ready.
  const parts = readAhead(planParts(changes, context.planner, connector), everything);

  try {
    for await (const part of parts) {
      hasAll ||= part.isReset;
      if (!(await processPart(context, job, source, part, met))) return false;
      if (named !== null && met.paths?.isOverflowing === true)
        return await listSource(context, { ...job, paths: null }, source);
    }
  } finally {
    // What was listed before a listing fails is indexed, too.
    if (!signal.aborted) await context.intake.release();
  }
  if (named !== null && !(await removeUnseen(context, job, named, met))) return false;
  // Only a full listing proves that what it does not contain is gone.
  const complete = hasAll && job.since === null && named === null;
  const notes = [...said, ...(complete ? connector.rules.unmatchedWarnings(met.rules) : [])];
  const state = mergeState(record.state, { cursor: next, kept: connector.state.pending });
  return store.listings.finish(job.id, worker, { complete, state, warnings: notes });
}

/** The identity of any one of the known objects; few of a source that has identities are without one. */
async function findIdentity(objects: ObjectCatalog, connectorId: string): Promise<string | null> {
  const some = await objects.list(connectorId, { prefix: '', after: null, limit: 100 });
  return some.find(({ identity }) => identity !== null)?.identity ?? null;
}

/** What a listing has met. */
interface SeenObjects {
  readonly rules: Set<ObjectRule>;
  /** Of objects that are compared, and read as a whole if they changed; null where nobody asks. */
  readonly paths: SeenPaths | null;
  /** Ids of objects that are somewhere else now; null where nobody asks. */
  readonly moved: Set<string> | null;
}

/** Adds tasks for what is known at the named paths and is gone; false when the lease is lost. */
async function removeUnseen(
  { store, intake }: ListingContext,
  job: JobRecord,
  named: readonly string[],
  met: SeenObjects,
): Promise<boolean> {
  const { connectorId } = job;
  const isMet = ({ id, path }: ObjectRecord): boolean =>
    met.paths?.mayContain(path) === true || met.moved?.has(id) === true;
  for await (const page of findUnseen(store.objects, connectorId, named, isMet)) {
    if (page.length === 0) continue;
    const tasks = page.map(({ path }) => makeDeletionTask(connectorId, path));
    if (!(await intake.add(tasks))) return false;
  }
  return true;
}

/** Adds tasks for what is not as it is known; false when the lease is lost. */
async function processPart(
  context: ListingContext,
  job: JobRecord,
  source: ListingSource,
  part: ListingPart,
  met: SeenObjects,
): Promise<boolean> {
  const { store, worker, intake } = context;
  const { entries, removed, recordChanges: ofRecords, mustRead, planOf, revisions, rules } = part;
  const followed = new Map<string, Entry>();
  for (const [path, some] of ofRecords) {
    const entry = await source.connector.stat(path, context.signal);
    if (entry === null) {
      removed.add(path);
      continue;
    }
    const applied = mustRead.has(path)
      ? 'whole'
      : await changeRecordsOnly(context, job, source, planOf(entry), entry, some, met.paths);
    if (applied === 'changed') followed.set(path, entry);
    // It is read, whatever its fingerprint says.
    if (applied === 'whole') {
      const unread = { ...entry, fingerprint: null };
      entries.set(path, unread);
      addPlan(part, unread);
    }
  }
  met.paths?.add(entries.keys());
  for (const rule of rules.values()) met.rules.add(rule);
  if (job.full) for (const path of entries.keys()) revisions.set(path, null);
  const difference = await store.listings.compare(job.id, worker, revisions);
  if (difference === null) return false;
  const indexing = await makeIndexingTasks(
    store.objects,
    source.record,
    entries,
    rules,
    difference,
  );
  for (const { fromObjectId } of indexing) if (fromObjectId !== null) met.moved?.add(fromObjectId);
  const tasks = [
    ...Array.from(removed, (path) => makeDeletionTask(source.record.id, path)),
    ...Array.from(followed, ([path, entry]) => makeRecordsTask(source.record.id, path, entry)),
    ...indexing,
  ];
  return tasks.length === 0 || intake.add(tasks);
}

/** Changes some records of an object, if that is all there is to do for it. */
async function changeRecordsOnly(
  { store, signal, changeRecords }: ListingContext,
  job: JobRecord,
  source: ListingSource,
  plan: ObjectPlan,
  entry: Entry,
  changes: readonly RecordsChange[],
  read: SeenPaths | null,
): Promise<ApplyResult> {
  const { path } = entry;
  const [before] = await store.objects.findByPath(source.record.id, [path]);
  const isWhole = before?.searchStatus === 'indexed' && before.reason === null;
  if (!isWhole || job.full || plan.refusal !== null || read?.mayContain(path) === true)
    return 'whole';
  try {
    return await changeRecords(
      { id: before.id, entry, plan, before, isFirstAttempt: false },
      changes,
    );
  } catch {
    signal.throwIfAborted();
    // Read as a whole, it has the retries of any object, and its failure a place to be kept.
    return 'whole';
  }
}

/** Tasks for changed and new objects, in listing order. */
async function makeIndexingTasks(
  objects: ObjectCatalog,
  record: ConnectorRecord,
  entries: ReadonlyMap<string, Entry>,
  rules: ReadonlyMap<string, ObjectRule>,
  { changed, added }: ListingDifference,
): Promise<NewTask[]> {
  const differing = new Set([...changed, ...added]);
  if (differing.size === 0) return [];
  const identities = added.flatMap((path) => entries.get(path)?.identity ?? []);
  const known = identities.length === 0 ? [] : await objects.findByIdentity(record.id, identities);
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

function makeDeletionTask(connectorId: string, path: string): NewTask {
  return makeTask(connectorId, path, 'delete', null);
}

function makeRecordsTask(connectorId: string, path: string, entry: Entry): NewTask {
  return makeTask(connectorId, path, 'records', entry);
}

function makeTask(
  connectorId: string,
  path: string,
  op: 'delete' | 'records',
  entry: Entry | null,
): NewTask {
  const id = objectId(connectorId, path);
  return { objectId: id, path, op, entry, fromObjectId: null, priority: 0 };
}

async function* toChanges(
  parts: AsyncIterable<readonly Entry[]>,
): AsyncGenerator<CheckedChange[], void, undefined> {
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
