import { pageError, type HttpService, type RequestDescription } from '@trove/connector-kit/http';

import { projectErrors } from './errors.js';
import { pageSize } from './projects.js';

interface ListedTask {
  readonly gid: string;
  readonly num_subtasks?: number;
}

interface ListAnswer {
  readonly data?: readonly ListedTask[];
  readonly next_page?: { readonly offset: string } | null;
}

interface StoryAnswer {
  readonly data?: { readonly target?: { readonly gid: string } | null };
}

const maxPages = 10_000;

/** Lists the ids of the tasks of a project and of all their subtasks. */
export function tasksOfProject(
  service: HttpService,
  project: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return listTasks(service, { get: '/tasks', query: { project: () => project } }, signal);
}

/** Lists the ids of all subtasks of a task. A task that does not exist has none. */
export function subtasksOf(
  service: HttpService,
  task: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return listTasks(service, { get: () => `/tasks/${task}/subtasks` }, signal);
}

async function listTasks(
  service: HttpService,
  request: RequestDescription,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const requests = [request];
  const found = new Set<string>();
  for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
    for (const { gid, num_subtasks: subtasks = 0 } of await allPages(service, next, signal)) {
      if (subtasks > 0 && !found.has(gid)) requests.push({ get: () => `/tasks/${gid}/subtasks` });
      found.add(gid);
    }
  }
  return [...found];
}

async function allPages(
  service: HttpService,
  request: RequestDescription,
  signal: AbortSignal,
): Promise<readonly ListedTask[]> {
  const tasks: ListedTask[] = [];
  let offset: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = { limit: pageSize, offset: () => offset, opt_fields: 'num_subtasks' };
    const query = { ...request.query, ...page };
    const reply = await service.send({ ...request, query }, { signal, errors: projectErrors });
    if ('none' in reply) break;
    const { data = [], next_page: next }: ListAnswer = Object(reply.answer.body);
    tasks.push(...data);
    if (next === undefined) throw pageError(reply.answer, 'has no `next_page`');
    if (next === null) break;
    ({ offset } = next);
  }
  return tasks;
}

/** Returns the task of a story. Undefined for a story that does not exist. */
export async function taskOfStory(
  service: HttpService,
  story: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const reply = await service.send(
    { get: () => `/stories/${story}`, query: { opt_fields: 'target' } },
    { signal, errors: projectErrors },
  );
  if ('none' in reply) return undefined;
  const { data }: StoryAnswer = Object(reply.answer.body);
  return data?.target?.gid;
}
