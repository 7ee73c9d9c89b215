import type { RecordParts, Scope } from '@trove/connector-kit/http';

import { workspaceOf } from './projects.js';
import type { AsanaSettings } from './config.js';

interface Reference {
  readonly gid: string;
}

interface Named extends Reference {
  readonly name: string;
}

/** Where a task is: its projects, or the task that it is a part of. */
interface Placed extends Reference {
  readonly projects?: readonly Reference[];
  readonly parent?: Reference | null;
}

interface CustomField {
  readonly name: string;
  readonly display_value: string | null;
}

/** A task: the requested members of the answer. */
export interface AsanaTask extends Placed {
  readonly name: string;
  readonly notes: string;
  readonly resource_subtype: string;
  readonly approval_status?: string | null;
  readonly completed: boolean;
  readonly completed_at: string | null;
  readonly created_at: string;
  readonly created_by?: Named | null;
  readonly assignee: Named | null;
  readonly due_at: string | null;
  readonly due_on: string | null;
  readonly permalink_url: string;
  readonly parent?: Named | null;
  readonly tags: readonly Named[];
  readonly memberships: readonly { readonly project: Named; readonly section: Named | null }[];
  readonly custom_fields?: readonly CustomField[];
}

/** A story: an entry in the history of a task. */
export interface AsanaStory extends Reference {
  readonly type: string;
  readonly text: string;
  readonly created_at: string;
  readonly created_by: Named | null;
  readonly target: Reference | null;
}

/** Subtasks are nested less often. */
const maxDepth = 20;

export const taskFields = [
  'name',
  'notes',
  'resource_subtype',
  'approval_status',
  'completed',
  'completed_at',
  'created_at',
  'created_by.name',
  'modified_at',
  'assignee.name',
  'due_at',
  'due_on',
  'permalink_url',
  'num_subtasks',
  'parent.name',
  'projects',
  'tags.name',
  'memberships.project.name',
  'memberships.section.name',
  'custom_fields.name',
  'custom_fields.display_value',
].join(',');

/** What the keys of tasks, and the lists of what belongs to them, depend on. */
export const placeFields = 'num_subtasks,projects';

export const storyFields = 'type,text,created_at,created_by.name,target';

export function taskRecord(task: AsanaTask): RecordParts {
  return {
    title: task.name,
    // Messages without a text are not indexed.
    text: task.notes.trim() === '' ? task.name : task.notes,
    at: task.created_at,
    author: task.created_by?.name,
    url: task.permalink_url,
    thread: task.gid,
    threadFields: { ...customFields(task), ...ownFields(task) },
    fields: {},
  };
}

function ownFields(task: AsanaTask): Readonly<Record<string, unknown>> {
  const { memberships, parent } = task;
  return withoutNull({
    task: task.gid,
    type: task.resource_subtype,
    completed: task.completed,
    completed_at: task.completed_at,
    approval_status: task.approval_status,
    assignee: task.assignee?.name,
    due_at: task.due_at,
    due_on: task.due_on,
    parent: parent?.name,
    projects: memberships.map(({ project }) => project.name),
    sections: memberships.flatMap(({ section }) => section?.name ?? []),
    tags: task.tags.map(({ name }) => name),
  });
}

/** The custom fields by their names, as Asana shows them. */
function customFields({ custom_fields: fields = [] }: AsanaTask): Record<string, unknown> {
  return withoutNull(Object.fromEntries(fields.map((each) => [each.name, each.display_value])));
}

function withoutNull(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
}

export function isComment({ type }: AsanaStory): boolean {
  return type === 'comment';
}

export function commentRecord(story: AsanaStory, scope: Scope<AsanaSettings>): RecordParts {
  const task = story.target?.gid ?? '';
  return {
    text: story.text,
    at: story.created_at,
    author: story.created_by?.name,
    url: `https://app.asana.com/1/${workspaceOf(scope)}/task/${task}/comment/${story.gid}`,
    thread: task,
    fields: {},
  };
}

/**
 * Whether a listing is the one that yields the task. A task of several projects is listed in each of them, and a subtask of a
 * project also with the task that it is a part of.
 */
export async function isListedHere(task: Placed, scope: Scope<AsanaSettings>): Promise<boolean> {
  const home = await homeOf(task, scope);
  const { projects: project, tasks: parent } = scope.parents;
  if (parent !== undefined) return home === undefined;
  const { gid }: Partial<Reference> = Object(project);
  if (gid !== undefined) return home === undefined || home === gid;
  return home !== undefined || isPartOfListed(task, scope);
}

/** Returns the first of the projects of a task that the source has. */
async function homeOf(
  { projects = [] }: Partial<Placed>,
  { lookup }: Scope<AsanaSettings>,
): Promise<string | undefined> {
  for (const gid of projects.map((project) => project.gid).toSorted())
    if ((await lookup('projects', gid)) !== undefined) return gid;
  return undefined;
}

/** Whether a task is below a task of a project that the source has. */
async function isPartOfListed(task: Placed, scope: Scope<AsanaSettings>): Promise<boolean> {
  let { parent } = task;
  for (let depth = 0; depth < maxDepth && parent; depth++) {
    const outer: Partial<Placed> = Object(await scope.lookup('tasks', parent.gid));
    if ((await homeOf(outer, scope)) !== undefined) return true;
    ({ parent } = outer);
  }
  return false;
}
