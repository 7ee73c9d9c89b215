import type { FakeAnswer, FakeRequest, ServiceModel } from '@trove/connector-kit/http/fake';

import { meForm, projectForm, storyForm, taskForm, timeForm, updateForm } from './forms.js';
import { pageAnswer } from './paging.js';
import { forbidden, newToken, notAuthorized, problem, tooMany, unknown } from './problems.js';
import { selectFields } from './select.js';
import type { AsanaWorld, StoredTask } from './world.js';

const maxEvents = 100;
const compactTask = 'name,resource_subtype';
const compactStory = 'created_at,created_by.name,resource_subtype,text,type';

/** What the service answers. */
export function asanaModel(world: AsanaWorld): ServiceModel {
  return {
    rateLimited: (_request, retryAfterMs) => tooMany(retryAfterMs),
    unauthorized: notAuthorized,
    answer(request) {
      const answer = answerOf(world, request);
      const headers = { date: new Date(world.now).toUTCString(), ...answer.headers };
      return { ...answer, headers };
    },
  };
}

function answerOf(world: AsanaWorld, request: FakeRequest): FakeAnswer {
  const [, token = ''] = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '') ?? [];
  if (!world.tokens.has(token)) return notAuthorized();
  const steps = request.path.replace(/^\/api\/1\.0\/?/, '').split('/');
  const [kind = '', gid, part] = steps;
  if (gid !== undefined && part === undefined) return itemAnswer(world, request, kind, gid);
  if (part !== undefined && kind === 'tasks') return partsAnswer(world, request, gid ?? '', part);
  switch (kind) {
    case 'workspaces':
      return pageAnswer(
        world,
        request,
        [{ ...world.workspace, resource_type: 'workspace' }],
        'name',
      );
    case 'projects':
      return projectsAnswer(world, request);
    case 'tasks':
      return tasksAnswer(world, request);
    case 'status_updates':
      return updatesAnswer(world, request);
    case 'events':
      return eventsAnswer(world, request);
    default:
      return problem(404, 'No matching route for request');
  }
}

function itemAnswer(
  world: AsanaWorld,
  { query }: FakeRequest,
  kind: string,
  gid: string,
): FakeAnswer {
  const fields = query.get('opt_fields');
  const whole = (form: unknown): FakeAnswer => ({
    json: { data: fields === null ? form : selectFields(form, fields) },
  });
  if (kind === 'users' && gid === 'me') return whole(meForm(world));
  const task = kind === 'tasks' ? world.tasks.get(gid) : undefined;
  if (task !== undefined)
    return isClosed(world, task) ? forbidden('task') : whole(taskForm(world, task));
  const story = kind === 'stories' ? world.stories.get(gid) : undefined;
  if (story !== undefined) return whole(storyForm(world, story));
  const update = kind === 'status_updates' ? world.updates.get(gid) : undefined;
  return update === undefined
    ? unknown(kind.replace(/s$/, ''), gid)
    : whole(updateForm(world, update));
}

/** Whether the owner of the token may read no project of a task. */
function isClosed(world: AsanaWorld, { projects, parent }: StoredTask): boolean {
  if (projects.length === 0) return parent !== null && isClosed(world, world.task(parent));
  return projects.every((gid) => world.projects.get(gid)?.isClosed === true);
}

function partsAnswer(
  world: AsanaWorld,
  request: FakeRequest,
  gid: string,
  part: string,
): FakeAnswer {
  const task = world.tasks.get(gid);
  if (task === undefined) return unknown('task', gid);
  if (isClosed(world, task)) return forbidden('task');
  if (part === 'subtasks') {
    const forms = world.subtasksOf(gid).map((each) => taskForm(world, each));
    return pageAnswer(world, request, forms, compactTask);
  }
  if (part !== 'stories') return problem(404, 'No matching route for request');
  const forms = world.storiesOf(gid).map((each) => storyForm(world, each));
  return pageAnswer(world, request, forms, compactStory);
}

function projectsAnswer(world: AsanaWorld, request: FakeRequest): FakeAnswer {
  const { query } = request;
  const workspace = query.get('workspace');
  if (workspace !== null && workspace !== world.workspace.gid)
    return unknown('workspace', workspace);
  const archived = query.get('archived');
  const found = [...world.projects.values()].filter(
    ({ isArchived }) => archived === null || String(isArchived) === archived,
  );
  return pageAnswer(
    world,
    request,
    found.map((each) => projectForm(world, each)),
    'name',
  );
}

/** Returns the refusal of a project, or null for one that the owner of the token may read. */
function refusalOf(world: AsanaWorld, gid: string): FakeAnswer | null {
  if (!/^\d+$/.test(gid)) return problem(400, `project: Not a recognized ID: ${gid}`);
  const project = world.projects.get(gid);
  if (project === undefined) return unknown('project', gid);
  return project.isClosed ? forbidden('project') : null;
}

function tasksAnswer(world: AsanaWorld, request: FakeRequest): FakeAnswer {
  const { query } = request;
  const project = query.get('project');
  if (project === null) return problem(400, 'You should specify one of workspace, project, tag');
  const since = Date.parse(query.get('modified_since') ?? '1970-01-01');
  if (Number.isNaN(since)) return problem(400, 'modified_since: Not a recognized date-time');
  const found = world.tasksOf(project).filter(({ modifiedAt }) => modifiedAt >= since);
  return (
    refusalOf(world, project) ??
    pageAnswer(
      world,
      request,
      found.map((each) => taskForm(world, each)),
      compactTask,
    )
  );
}

function updatesAnswer(world: AsanaWorld, request: FakeRequest): FakeAnswer {
  const { query } = request;
  const parent = query.get('parent');
  if (parent === null) return problem(400, 'parent: Missing input');
  const since = Date.parse(query.get('created_since') ?? '1970-01-01');
  const found = world.updatesOf(parent).filter(({ createdAt }) => createdAt >= since);
  return (
    refusalOf(world, parent) ??
    pageAnswer(
      world,
      request,
      found.map((each) => updateForm(world, each)),
      'title,resource_subtype',
    )
  );
}

/** Answers with the events since a token, or with the current token if it is missing or too old. */
function eventsAnswer(world: AsanaWorld, { query }: FakeRequest): FakeAnswer {
  const { events } = world;
  const project = query.get('resource');
  if (project === null) return problem(400, 'resource: Missing input');
  const refusal = refusalOf(world, project);
  if (refusal !== null) return refusal;
  const found = events.since(query.get('sync') ?? '', project);
  if (found === null) return newToken(events.token);
  const page = found.slice(0, maxEvents);
  const hasMore = page.length < found.length;
  const last = page.at(-1)?.number;
  const data = page.map(({ resource, parent, action, at }) => {
    const form = resourceForm(resource);
    return {
      user: { gid: world.bob.gid, resource_type: 'user' },
      created_at: timeForm(at),
      type: form['resource_type'],
      action,
      resource: form,
      parent: parent === null ? null : resourceForm(parent),
    };
  });
  const sync = hasMore && last !== undefined ? events.tokenAt(last) : events.token;
  return { json: { data, sync, has_more: hasMore } };
}

function resourceForm(resource: Readonly<Record<string, string>>): Record<string, string> {
  const [entry] = Object.entries(resource);
  if (entry === undefined) throw new Error('The event has no resource');
  return { gid: entry[1], resource_type: entry[0] };
}
