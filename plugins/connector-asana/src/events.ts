import { pageError, type ErrorRule, type HttpService } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

import { projectErrors } from './errors.js';

/** What happened in a project since a token. */
export interface ProjectEvents {
  /** The token for the next run. */
  readonly token: string | undefined;
  /** The changed and deleted tasks, and tasks with changed comments. */
  readonly tasks: ReadonlySet<string>;
  /** The tasks among them that joined or left the project. Their subtasks did the same without events. */
  readonly moved: ReadonlySet<string>;
  /** The changed stories whose tasks are unknown. */
  readonly stories: ReadonlySet<string>;
  /** Whether the events leave out changes. */
  readonly hasGap: boolean;
}

interface Resource {
  readonly gid: string;
  readonly resource_type: string;
}

interface Event {
  readonly action: string;
  readonly resource: Resource | null;
  readonly parent?: Resource | null;
}

interface EventsAnswer {
  readonly data?: readonly Event[];
  readonly sync?: string;
  readonly has_more?: boolean;
}

const maxPages = 1000;
const moves: ReadonlySet<string> = new Set(['added', 'removed', 'undeleted']);

/** A missing or expired token is answered with a new one. */
const expiredToken: ErrorRule = { when: { status: 412 }, do: 'ok' };

/** Reads the events of a project since a token. Without a token, returns the current token and no events. */
export async function readEvents(
  service: HttpService,
  project: string,
  known: string | undefined,
  signal: AbortSignal,
): Promise<ProjectEvents> {
  const found = { tasks: new Set<string>(), moved: new Set<string>(), stories: new Set<string>() };
  let token = known;
  for (let pages = 0; pages < maxPages; pages++) {
    const query = { resource: () => project, sync: () => token };
    const errors = [expiredToken, ...projectErrors];
    const reply = await service.send({ get: '/events', query }, { signal, errors });
    // The project was deleted or closed a moment ago.
    if ('none' in reply) return { ...found, token, hasGap: true };
    const { data, sync, has_more: hasMore }: EventsAnswer = Object(reply.answer.body);
    token = sync ?? token;
    if (reply.answer.status === 412) return { ...found, token, hasGap: known !== undefined };
    if (data === undefined || sync === undefined || hasMore === undefined)
      throw pageError(reply.answer, 'lacks `data`, `sync` or `has_more`');
    for (const event of data) collect(event, found);
    if (!hasMore) return { ...found, token, hasGap: false };
  }
  throw new TroveError('connector_unhealthy', `The events of the project ${project} do not end`);
}

/** An event of a story names its task only if the story was added or removed. */
function collect(
  { action, resource, parent }: Event,
  { tasks, moved, stories }: Record<'tasks' | 'moved' | 'stories', Set<string>>,
): void {
  if (resource?.resource_type === 'task') {
    tasks.add(resource.gid);
    if (moves.has(action)) moved.add(resource.gid);
  } else if (resource?.resource_type === 'story') {
    if (parent?.resource_type === 'task') tasks.add(parent.gid);
    else stories.add(resource.gid);
  }
}
