import { isCheckpoint, type Checkpoint, type Entry } from '@trove/core';
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
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';
import type { CheckedChange } from '../../sources/connectors/item-checks.js';
import {
  priorityOf,
  type ObjectPlan,
  type ObjectPlanner,
} from '../../sources/objects/object-plan.js';
import { addPlan, planParts, type IntervalChanges, type ListingPart } from './listing-part.js';
import { assertRemovesFew } from './empty-listing.js';
import { parseCheckpoint, type ListingCheckpoint } from './listing-checkpoint.js';
import { SeenPaths } from './seen-paths.js';
import { maxNamedObjects, namedPaths, findUnseen } from './named-paths.js';
import { storedEntry } from '../tasks/object-record.js';
import type { ObjectToIndex } from '../tasks/prepare-object.js';
import type { TaskIntake } from '../training/task-intake.js';
import type { ApplyResult } from '../records/apply-changes.js';

/** The size of a part. A part is processed after 100 ms at the latest, so the first objects are searchable soon. */
const partLimits = { items: 2000, ms: 100 };
/** More paths are not stored with a checkpoint. */
const maxStoredPaths = 1000;

/** More mistakes of this kind are not reported in one job. */
const maxUnlisted = 20;

export interface ListingContext {
  readonly store: Pick<MetadataStore, 'jobs' | 'listings' | 'objects'>;
  readonly planner: ObjectPlanner;
  readonly worker: string;
  readonly signal: AbortSignal;
  /** Resolves when the stored objects are ready for comparison. True: unchanged objects must be listed, too. */
  readonly mustListAll: Promise<boolean>;
  readonly intake: TaskIntake;
  /** Changes records of a known object immediately. */
  readonly changeRecords: (object: ObjectToIndex, changes: IntervalChanges) => Promise<ApplyResult>;
}

export interface ListingSource {
  readonly record: ConnectorRecord;
  readonly connector: GuardedConnector;
}

/**
 * Lists a source and stores the resulting tasks. Returns false when the lease was lost and another worker continues the
 * job. Throws the errors of the connector.
 */
export async function listSource(
  context: ListingContext,
  job: JobRecord,
  source: ListingSource,
): Promise<boolean> {
  const { signal, store, worker, mustListAll } = context;
  const { record, connector } = source;
  const [capabilities, knownIdentity] = await Promise.all([
    connector.capabilities(signal),
    findIdentity(store.objects, record.id),
  ]);
  const { incremental } = capabilities;
  // A source that is not indexed completely needs a full listing.
  const paths = record.isComplete ? namedPaths(job, capabilities) : null;
  const named = paths !== null && !(await mustListAll) ? paths : null;
  const resumed = named === null ? parseCheckpoint(job.checkpoint) : null;
  const fromStart = resumed?.fromStart ?? (job.full || !incremental || (await mustListAll));
  const cursor = fromStart ? undefined : (storedStateOf(record.state).cursor ?? undefined);
  let hasAll = resumed?.hasAll ?? cursor === undefined;
  // Checkpoints of earlier versions do not state it.
  let isEmpty = resumed === null || resumed.isEmpty === true;
  const warnings = new Set<string>(resumed?.warnings);
  const request = {
    warn: (sentence: string) => void warnings.add(sentence),
    ...(job.since === null ? {} : { since: job.since }),
    ...(named === null ? {} : { paths: named }),
    ...(knownIdentity === null ? {} : { knownIdentity }),
    ...(resumed === null ? {} : { resume: resumed.token }),
    signal,
  };
  // Only these listings need the paths. A full listing can have any number of them.
  const tracksPaths = named !== null || incremental;
  const seen: SeenObjects = {
    rules: new Set(),
    paths: tracksPaths ? seenBefore(resumed) : null,
    moved: named === null ? null : new Set(),
    unlisted: new Set(),
  };
  let newCursor = resumed?.cursor;
  connector.state.reset();
  if (resumed?.kept !== undefined) connector.state.set(resumed.kept);
  const onPause = (ms: number): Promise<void> => store.jobs.pause(job.id, ms);
  const commit = (given: unknown): void => void (newCursor = given);
  const changes = incremental
    ? connector.changesInParts({ ...request, cursor, commit }, partLimits, onPause)
    : toChanges(connector.listInParts(request, partLimits, onPause));
  // The next part is prepared while this one is compared.
  const parts = readAhead(planParts(changes, context.planner, connector), mustListAll);

  try {
    for await (const part of parts) {
      hasAll ||= part.isReset;
      isEmpty &&= part.entries.size === 0 && part.recordChanges.size === 0;
      if (!(await processPart(context, job, source, part, seen))) return false;
      if (named !== null && seen.paths?.isOverflowing === true)
        return await listSource(context, { ...job, paths: null }, source);
      if (part.checkpoint === null || named !== null) continue;
      // Tasks that are held back would be lost.
      if (!(await context.intake.hasStoredAll())) continue;
      const checkpoint: ListingCheckpoint = {
        token: part.checkpoint.checkpoint,
        fromStart,
        hasAll,
        isEmpty,
        cursor: newCursor,
        kept: connector.state.pending,
        warnings: [...warnings],
        readPaths: seen.paths?.list(maxStoredPaths) ?? null,
      };
      if (!(await store.listings.checkpoint(job.id, worker, checkpoint))) return false;
    }
  } finally {
    // Objects that were listed before a failure are indexed.
    if (!signal.aborted) await context.intake.release();
  }
  for (const path of seen.unlisted) warnings.add(connector.unlistedWarning(path));
  if (named !== null && !(await removeUnseen(context, job, named, seen))) return false;
  // Only a full listing proves that missing objects are gone.
  const complete = hasAll && job.since === null && named === null;
  if (complete && isEmpty && !job.full) await assertRemovesFew(store.objects, record);
  // After a restart, the rules that matched before are unknown.
  if (complete && resumed === null)
    for (const warning of connector.rules.unmatchedWarnings(seen.rules)) warnings.add(warning);
  const state = mergeState(record.state, { cursor: newCursor, kept: connector.state.pending });
  return store.listings.finish(job.id, worker, {
    complete,
    state,
    warnings: [...warnings],
  });
}

/** Returns the identity of any known object. In a source with identities, few objects lack one. */
async function findIdentity(objects: ObjectCatalog, connectorId: string): Promise<string | null> {
  const some = await objects.list(connectorId, { prefix: '', after: null, limit: 100 });
  return some.find(({ identity }) => identity !== null)?.identity ?? null;
}

function seenBefore(resumed: ListingCheckpoint | null): SeenPaths {
  if (resumed === null) return new SeenPaths(maxNamedObjects);
  if (resumed.readPaths === null) return SeenPaths.all();
  const seen = new SeenPaths(maxNamedObjects);
  seen.add(resumed.readPaths);
  return seen;
}

/** Objects and rules that a listing has seen so far. */
interface SeenObjects {
  readonly rules: Set<ObjectRule>;
  /** Paths of objects that are compared or read as a whole. Null if they are not needed. */
  readonly paths: SeenPaths | null;
  /** Ids of objects that have moved. Null if they are not needed. */
  readonly moved: Set<string> | null;
  /** Paths with changed records of objects that neither exist nor were listed. */
  readonly unlisted: Set<string>;
}

/** Adds tasks that delete known objects at the named paths that are gone. Returns false when the lease is lost. */
async function removeUnseen(
  { store, intake }: ListingContext,
  job: JobRecord,
  named: readonly string[],
  seen: SeenObjects,
): Promise<boolean> {
  const { connectorId } = job;
  const isSeen = ({ id, path }: ObjectRecord): boolean =>
    seen.paths?.mayContain(path) === true || seen.moved?.has(id) === true;
  for await (const page of findUnseen(store.objects, connectorId, named, isSeen)) {
    if (page.length === 0) continue;
    const tasks = page.map(({ path }) => makeDeletionTask(connectorId, path));
    if (!(await intake.add(tasks))) return false;
  }
  return true;
}

/** Adds tasks for the differences between a part and the store. Returns false when the lease is lost. */
async function processPart(
  context: ListingContext,
  job: JobRecord,
  source: ListingSource,
  part: ListingPart,
  seen: SeenObjects,
): Promise<boolean> {
  const { store, worker, intake } = context;
  const { entries, removed, recordChanges, mustRead, planOf, revisions, rules } = part;
  const followed = new Map<string, Entry>();
  const known = await findKnown(store.objects, source.record.id, recordChanges.keys());
  for (const [path, some] of recordChanges) {
    const before = known.get(path);
    const entry = await entryOf(context, source, path, before);
    if (entry === null) {
      if (before === undefined && seen.unlisted.size < maxUnlisted) seen.unlisted.add(path);
      removed.add(path);
      continue;
    }
    const isChangeable = before !== undefined && !job.full && !mustRead.has(path);
    const applied =
      isChangeable && seen.paths?.mayContain(path) !== true
        ? await changeRecordsOnly(context, planOf(entry), entry, before, some)
        : 'whole';
    if (applied === 'changed') followed.set(path, entry);
    // Without a fingerprint, the object is always read.
    if (applied === 'whole') {
      const unread = { ...entry, fingerprint: null };
      entries.set(path, unread);
      addPlan(part, unread);
    }
  }
  seen.paths?.add(entries.keys());
  for (const rule of rules.values()) seen.rules.add(rule);
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
  for (const { fromObjectId } of indexing) if (fromObjectId !== null) seen.moved?.add(fromObjectId);
  const tasks = [
    ...Array.from(removed, (path) => makeDeletionTask(source.record.id, path)),
    ...Array.from(followed, ([path, entry]) => makeRecordsTask(source.record.id, path, entry)),
    ...indexing,
  ];
  return tasks.length === 0 || intake.add(tasks);
}

/** Returns the stored objects at these paths. */
async function findKnown(
  objects: ObjectCatalog,
  connectorId: string,
  paths: Iterable<string>,
): Promise<ReadonlyMap<string, ObjectRecord>> {
  const found = await objects.findByPath(connectorId, [...paths]);
  return new Map(found.map((object) => [object.path, object]));
}

/** Returns the stored entry of an object. The source is asked only about an unknown or incomplete object. */
async function entryOf(
  { signal }: ListingContext,
  { connector }: ListingSource,
  path: string,
  before: ObjectRecord | undefined,
): Promise<Entry | null> {
  const stored = before !== undefined && isWhole(before) ? storedEntry(before) : null;
  return stored ?? connector.stat({ path, identity: before?.identity ?? null }, signal);
}

function isWhole({ searchStatus, reason }: ObjectRecord): boolean {
  return searchStatus === 'indexed' && reason === null;
}

/** Changes single records of an object. Returns `whole` if the object must be read instead. */
async function changeRecordsOnly(
  { signal, changeRecords }: ListingContext,
  plan: ObjectPlan,
  entry: Entry,
  before: ObjectRecord,
  changes: IntervalChanges,
): Promise<ApplyResult> {
  if (!isWhole(before) || plan.refusal !== null) return 'whole';
  try {
    return await changeRecords(
      { id: before.id, entry, plan, before, isFirstAttempt: false },
      changes,
    );
  } catch {
    signal.throwIfAborted();
    // A task for the whole object has retries, and its failure is recorded.
    return 'whole';
  }
}

/** Creates tasks for changed and new objects, in listing order. */
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
  parts: AsyncIterable<readonly (Entry | Checkpoint)[]>,
): AsyncGenerator<CheckedChange[], void, undefined> {
  for await (const part of parts)
    yield part.map((item) => (isCheckpoint(item) ? item : { entry: item }));
}

/**
 * Requests each item while the previous one is still in use, and the first one immediately. Yields the first item when
 * `ready` resolves.
 */
function readAhead<T>(
  items: AsyncGenerator<T, void, undefined>,
  ready: Promise<unknown>,
): AsyncIterable<T> {
  const requestNext = (): Promise<IteratorResult<T, void>> => {
    const pending = items.next();
    // A consumer that stops early never observes this error.
    pending.catch(() => undefined);
    return pending;
  };
  let next = requestNext();
  return (async function* () {
    try {
      await ready;
      for (let step = await next; step.done !== true; step = await next) {
        next = requestNext();
        yield step.value;
      }
    } finally {
      await items.return();
    }
  })();
}
