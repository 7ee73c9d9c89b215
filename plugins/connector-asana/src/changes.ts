import { createHash } from 'node:crypto';
import { mapInParallel } from '@trove/connector-kit';
import type { HttpService } from '@trove/connector-kit/http';
import type { Change, ChangesRequest, Connector, SourceRecord } from '@trove/core';

import {
  checkpointOf,
  readCursor,
  readProgress,
  storedCursor,
  type SyncProgress,
} from './cursor.js';
import { readEvents } from './events.js';
import { subtasksOf, tasksOfProject, taskOfStory } from './task-lists.js';

/** How often changed tasks are listed, because a few events are never delivered. */
const listingPeriodMs = 24 * 60 * 60 * 1000;
/** With more tasks, listing the changed ones is cheaper than reading each. */
const maxTasks = 3000;
/** The number of projects whose events are read at the same time. */
const maxParallel = 4;

const tasksPath = 'tasks';

export interface AsanaSource {
  /** The connector of the description. */
  readonly listing: Connector;
  readonly service: HttpService;
}

interface ProjectChanges {
  readonly project: string;
  readonly token: string | undefined;
  readonly tasks: readonly string[];
  readonly hasGap: boolean;
}

/**
 * Yields what changed since a cursor. The events of projects name the tasks to read. Changed tasks are listed once a day, and
 * if events are missing or a project has changed.
 */
export async function* asanaChanges(
  source: AsanaSource,
  request: ChangesRequest,
): AsyncGenerator<Change, void, undefined> {
  const resumed = readProgress(request.resume);
  let progress = resumed ?? (await begin(source, request));
  if (resumed === null && progress.isFull && request.cursor !== undefined) yield { reset: true };
  progress = yield* readProjects(source, progress, request.signal);
  if (progress.isListing) progress = yield* listChanges(source, progress, request);
  const remaining = [...progress.tasks];
  for (let task = remaining.pop(); task !== undefined; task = remaining.pop()) {
    yield* readTask(source, task, request.signal);
    // The engine stores a checkpoint after it has requested further changes.
    yield* checkpointOf({ ...progress, tasks: [...remaining] });
  }
  request.commit(storedCursor(progress));
}

/** Decides what a sync must do. */
async function begin(
  { listing }: AsanaSource,
  { cursor, signal }: ChangesRequest,
): Promise<SyncProgress> {
  const start = Date.now();
  const projects: string[] = [];
  const hash = createHash('sha256');
  for await (const record of listing.records?.('projects', { signal }) ?? []) {
    if ('checkpoint' in record) continue;
    projects.push(String(record.key['gid']));
    hash.update(JSON.stringify(record));
  }
  const digest = hash.digest('base64url');
  const known = readCursor(cursor);
  // The tasks of a project that is gone are unknown.
  if (known === null || Object.keys(known.tokens).some((id) => !projects.includes(id))) {
    const all = { listing: undefined, listedAt: start, isFull: true, isListing: true };
    return { ...all, digest, tokens: {}, projects, tasks: [] };
  }
  const isListing = digest !== known.digest || start - known.listedAt >= listingPeriodMs;
  const listedAt = isListing ? start : known.listedAt;
  return { ...known, listedAt, digest, isFull: false, isListing, projects, tasks: [] };
}

/** Reads the events of the projects. Returns the progress with the tasks that they name. */
async function* readProjects(
  { service }: AsanaSource,
  progress: SyncProgress,
  signal: AbortSignal,
): AsyncGenerator<Change, SyncProgress, undefined> {
  let current = progress;
  while (current.projects.length > 0) {
    const some = current.projects.slice(0, maxParallel);
    const { tokens, isFull } = current;
    const read = await mapInParallel(some, maxParallel, (id) =>
      isFull ? startOf(service, id, signal) : changesOf(service, id, tokens[id], signal),
    );
    const found = new Set([...current.tasks, ...read.flatMap(({ tasks }) => tasks)]);
    const isTooMuch = found.size > maxTasks;
    const own = read.flatMap(({ project, token }) =>
      token === undefined ? [] : [[project, token] as const],
    );
    current = {
      ...current,
      tokens: { ...tokens, ...Object.fromEntries(own) },
      projects: current.projects.slice(some.length),
      isListing: current.isListing || isTooMuch || read.some(({ hasGap }) => hasGap),
      tasks: isTooMuch ? [] : [...found],
    };
    yield* checkpointOf(current);
  }
  return current;
}

async function startOf(
  service: HttpService,
  project: string,
  signal: AbortSignal,
): Promise<ProjectChanges> {
  const { token } = await readEvents(service, project, undefined, signal);
  return { project, token, tasks: [], hasGap: false };
}

/** Returns the changes of a project since a token. All tasks of a new project have changed. */
async function changesOf(
  service: HttpService,
  project: string,
  known: string | undefined,
  signal: AbortSignal,
): Promise<ProjectChanges> {
  const { token, tasks, moved, stories, hasGap } = await readEvents(
    service,
    project,
    known,
    signal,
  );
  const found = new Set(tasks);
  const listed = known === undefined ? await tasksOfProject(service, project, signal) : [];
  for (const task of listed) found.add(task);
  for (const task of moved)
    for (const subtask of await subtasksOf(service, task, signal)) found.add(subtask);
  let isUnknown = false;
  for (const story of stories) {
    const task = await taskOfStory(service, story, signal);
    if (task === undefined) isUnknown = true;
    else found.add(task);
  }
  return { project, token, tasks: [...found], hasGap: hasGap || isUnknown };
}

/** Lists changed tasks, or everything. Returns the progress without the tasks that the listing has read. */
async function* listChanges(
  { listing }: AsanaSource,
  progress: SyncProgress,
  request: ChangesRequest,
): AsyncGenerator<Change, SyncProgress, undefined> {
  const { position, ...rest } = progress;
  let next = progress.listing;
  const remaining = new Set(progress.tasks);
  const inner: ChangesRequest = {
    ...request,
    cursor: progress.isFull ? undefined : progress.listing,
    resume: position,
    commit: (cursor) => {
      next = cursor;
    },
  };
  for await (const change of listing.changes?.(inner) ?? []) {
    if ('checkpoint' in change) {
      const tasks = [...remaining];
      yield* checkpointOf({ ...rest, tasks, position: change.checkpoint });
      continue;
    }
    yield change;
    const thread = threadOf(change);
    if (thread !== undefined) remaining.delete(thread);
  }
  const after = { ...rest, listing: next, isListing: false, tasks: [...remaining] };
  yield* checkpointOf(after);
  return after;
}

/** Returns the thread of which a change reports everything. */
function threadOf(change: Change): string | undefined {
  if (!('complete' in change) || typeof change.complete !== 'object') return undefined;
  return 'thread' in change.complete ? change.complete.thread : undefined;
}

/** Yields the records of a task. A task that is deleted or in no project of the source has none. */
async function* readTask(
  { listing }: AsanaSource,
  thread: string,
  signal: AbortSignal,
): AsyncGenerator<Change, void, undefined> {
  const records: SourceRecord[] = [];
  for await (const record of listing.records?.(tasksPath, { thread, signal }) ?? [])
    if (!('checkpoint' in record)) records.push(record);
  const isPresent = records.some(({ key }) => key['stream'] === tasksPath);
  yield {
    path: tasksPath,
    records: isPresent ? records : [],
    removedKeys: [],
    complete: { thread },
  };
}
