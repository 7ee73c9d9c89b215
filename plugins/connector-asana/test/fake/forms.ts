import type {
  AsanaWorld,
  StoredProject,
  StoredStory,
  StoredTask,
  StoredUpdate,
  StoredUser,
} from './world.js';

type Form = Readonly<Record<string, unknown>>;

export function timeForm(at: number): string {
  return new Date(at).toISOString();
}

function named(type: string, gid: string, name: string): Form {
  return { gid, resource_type: type, name };
}

function userForm({ gid, name }: StoredUser): Form {
  return named('user', gid, name);
}

function orNull<T>(value: T | null | undefined, form: (value: T) => unknown): unknown {
  return value === null || value === undefined ? null : form(value);
}

export function meForm({ ada, workspace }: AsanaWorld): Form {
  return {
    ...userForm(ada),
    email: 'ada@acme.example',
    photo: null,
    workspaces: [named('workspace', workspace.gid, workspace.name)],
  };
}

export function projectForm(world: AsanaWorld, project: StoredProject): Form {
  const { gid, name, notes, isArchived, createdAt } = project;
  const { workspace, ada } = world;
  const update = world.updatesOf(gid).at(-1);
  return {
    ...named('project', gid, name),
    archived: isArchived,
    created_at: timeForm(createdAt),
    due_on: null,
    notes,
    owner: userForm(ada),
    team: named('team', '3001', 'Product'),
    permalink_url: `https://app.asana.com/1/${workspace.gid}/project/${gid}`,
    current_status_update: orNull(update, (found) => ({
      gid: found.gid,
      resource_type: 'status_update',
      resource_subtype: 'project_status_update',
      title: found.title,
    })),
    workspace: named('workspace', workspace.gid, workspace.name),
  };
}

export function taskForm(world: AsanaWorld, task: StoredTask): Form {
  const { workspace, projects } = world;
  const parent = task.parent === null ? undefined : world.task(task.parent);
  const own = task.projects.flatMap((gid) => projects.get(gid) ?? []);
  return {
    ...named('task', task.gid, task.name),
    resource_subtype: 'default_task',
    approval_status: undefined,
    assignee: orNull(task.assignee, userForm),
    completed: task.completedAt !== null,
    completed_at: orNull(task.completedAt, timeForm),
    created_at: timeForm(task.createdAt),
    created_by: { gid: world.ada.gid, resource_type: 'user', name: world.ada.name },
    modified_at: timeForm(task.modifiedAt),
    due_at: null,
    due_on: '2026-12-24',
    notes: task.notes,
    num_subtasks: world.subtasksOf(task.gid).length,
    parent: orNull(parent, ({ gid, name }) => ({
      ...named('task', gid, name),
      resource_subtype: 'default_task',
    })),
    permalink_url: `https://app.asana.com/1/${workspace.gid}/task/${task.gid}`,
    projects: own.map(({ gid, name }) => named('project', gid, name)),
    memberships: own.map(({ gid, name }) => ({
      project: named('project', gid, name),
      section: named('section', `${gid}1`, task.section),
    })),
    tags: task.tags.map((name, at) => named('tag', `400${at}`, name)),
    custom_fields: Object.entries(task.customFields).map(([name, value], at) => ({
      ...named('custom_field', `500${at}`, name),
      type: 'text',
      text_value: value,
      display_value: value,
    })),
    workspace: named('workspace', workspace.gid, workspace.name),
  };
}

export function storyForm(world: AsanaWorld, story: StoredStory): Form {
  const { gid, task, type, text, createdAt, author, isEdited } = story;
  return {
    gid,
    resource_type: 'story',
    resource_subtype: type === 'comment' ? 'comment_added' : 'marked_complete',
    type,
    text,
    created_at: timeForm(createdAt),
    created_by: orNull(author, userForm),
    is_edited: isEdited,
    target: { ...named('task', task, world.task(task).name), resource_subtype: 'default_task' },
  };
}

export function updateForm(world: AsanaWorld, update: StoredUpdate): Form {
  const { gid, project, title, text, status, createdAt } = update;
  return {
    gid,
    resource_type: 'status_update',
    resource_subtype: 'project_status_update',
    title,
    text,
    status_type: status,
    created_at: timeForm(createdAt),
    author: userForm(world.ada),
    parent: named('project', project, world.projects.get(project)?.name ?? ''),
  };
}
