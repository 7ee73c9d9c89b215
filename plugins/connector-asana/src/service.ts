import type {
  HttpDescription,
  HttpServiceDescription,
  Paging,
  Scope,
  StreamDescription,
} from '@trove/connector-kit/http';

import type { AsanaSettings } from './config.js';
import { errors, projectErrors } from './errors.js';
import {
  identify,
  isWanted,
  pageSize,
  projectNames,
  projectQuery,
  projectRecord,
} from './projects.js';
import {
  commentRecord,
  isComment,
  isListedHere,
  placeFields,
  storyFields,
  taskFields,
  taskRecord,
} from './tasks.js';

type Stream = StreamDescription<AsanaSettings>;

/** The last page has `next_page: null`. */
const page: Paging = {
  by: 'cursor',
  from: 'next_page.offset',
  more: 'next_page',
  send: 'query.offset',
};

/** A list of the service. Every answer has `data`. */
const list = { page, items: 'data', itemsRequired: true } as const;

/** A request for one item has no pages. */
const whole = { limit: () => undefined };

const tasks = {
  ...list,
  query: { limit: pageSize, opt_fields: taskFields },
  where: isListedHere,
  keep: ['gid'],
  in: 'tasks',
  key: 'gid',
  record: taskRecord,
  one: { get: '/tasks/{key.gid}', query: { opt_fields: taskFields }, item: 'data' },
  keysOnly: { query: { opt_fields: placeFields } },
} satisfies Stream;

const comments = {
  ...list,
  get: '/tasks/{gid}/stories',
  query: { limit: pageSize, opt_fields: storyFields },
  where: isComment,
  in: 'tasks',
  key: 'gid',
  record: commentRecord,
  one: { get: '/stories/{key.gid}', query: { opt_fields: storyFields }, item: 'data' },
  keysOnly: { query: { opt_fields: 'type' } },
  complete: { thread: 'gid' },
  errors: projectErrors,
} satisfies Stream;

export const service: HttpServiceDescription<AsanaSettings> = {
  base: '{config.base_url}',
  auth: { bearer: 'token' },
  errors,
  check: { get: '/users/me', query: { opt_fields: 'name,workspaces.name' }, say: identify },
};

export const description: HttpDescription<AsanaSettings> = {
  ...service,
  lookups: {
    projects: projectNames,
    tasks: {
      get: '/tasks/{id}',
      query: { opt_fields: 'projects,parent' },
      value: 'data',
      fresh: true,
    },
  },
  objects: {
    projects: { path: 'projects', title: 'Projects' },
    'status-updates': { path: 'status-updates', title: 'Status updates', countEvery: '1d' },
    // The events of projects report most deletions. A count requests the comments of each task.
    tasks: { path: 'tasks', title: 'Tasks', countEvery: '7d' },
  },
  streams: {
    projects: {
      ...list,
      get: '/projects',
      query: projectQuery(true),
      where: isWanted,
      keep: ['gid'],
      in: 'projects',
      key: 'gid',
      record: projectRecord,
    },
    updates: {
      ...list,
      for: 'projects',
      when: 'current_status_update',
      get: '/status_updates',
      query: {
        parent: '{gid}',
        limit: pageSize,
        opt_fields: 'title,text,status_type,created_at,author.name,parent.name',
      },
      in: 'status-updates',
      key: 'gid',
      record: {
        title: 'title',
        text: 'text',
        at: 'created_at',
        author: 'author.name',
        fields: { project: 'parent.name', status: 'status_type' },
      },
      one: { get: '/status_updates/{key.gid}', item: 'data' },
      keysOnly: { query: { opt_fields: 'gid' } },
      incremental: { by: 'since', send: { query: { created_since: '{since}' } }, overlap: '10m' },
      errors: projectErrors,
    },
    tasks: {
      ...tasks,
      for: 'projects',
      get: '/tasks',
      query: { ...tasks.query, project: '{gid}' },
      ofThread: { get: '/tasks/{thread}', query: whole, items: 'data' },
      incremental: { by: 'since', send: { query: { modified_since: '{since}' } }, overlap: '10m' },
      errors: projectErrors,
    },
    comments: {
      ...comments,
      for: 'tasks',
      ofThread: { get: '/tasks/{thread}/stories' },
    },
    subtasks: {
      ...tasks,
      for: 'tasks',
      sameAs: 'tasks',
      when: 'num_subtasks',
      get: subtasksPath,
      nested: { when: 'num_subtasks', send: {} },
      errors: projectErrors,
    },
    'subtask-comments': {
      ...comments,
      for: 'subtasks',
      sameAs: 'comments',
      // A change of a task lists all its subtasks again.
      moved: 'modified_at',
    },
  },
};

/** The subtasks of a task, or of a subtask that contains others. */
function subtasksPath({ item, values }: Scope<AsanaSettings>): string {
  const { gid }: { readonly gid?: string } = Object(values['container'] ?? item);
  return `/tasks/${gid ?? ''}/subtasks`;
}
