import {
  identifierOf,
  type Comment,
  type Issue,
  type LinearDocument,
  type LinearWorld,
  type Project,
  type ProjectUpdate,
} from './world.js';

/** An item in the service's form. Members that are functions are resolved when a query selects them. */
export type Form = Readonly<Record<string, unknown>>;

const root = 'https://linear.app/acme';

export function issueForm(world: LinearWorld, issue: Issue): Form {
  const { number, team, state, creator, assignee, project, parent, ...own } = issue;
  return {
    ...own,
    ...timesOf(issue),
    identifier: identifierOf(issue),
    number,
    url: `${root}/issue/${identifierOf(issue)}`,
    priority: 0,
    priorityLabel: 'No priority',
    state: {
      id: `state-${state}`,
      name: state,
      type: state === 'Done' ? 'completed' : 'unstarted',
    },
    team: { id: `team-${team}`, key: team, name: team },
    creator: person(creator),
    botActor: creator === null ? { id: 'bot-1', name: 'Robot' } : null,
    assignee: person(assignee),
    project: () => projectIn(world, project),
    parent: () => issueIn(world, parent),
  };
}

export function commentForm(world: LinearWorld, comment: Comment): Form {
  const { user, issue, project, projectUpdate, parent, ...own } = comment;
  return {
    ...own,
    ...timesOf(comment),
    url: `${root}/comment/${comment.id}`,
    parentId: parent,
    user: person(user),
    botActor: null,
    externalUser: user === null ? { id: 'external-1', name: 'Eve of Slack' } : null,
    issue: () => issueIn(world, issue),
    project: () => projectIn(world, project),
    projectUpdate: () => {
      const found = world.updates.get(projectUpdate ?? '');
      return found === undefined ? null : updateForm(world, found);
    },
  };
}

export function projectForm(project: Project): Form {
  const { status, lead, ...own } = project;
  return {
    ...own,
    ...timesOf(project),
    url: `${root}/project/${project.id}`,
    startDate: null,
    targetDate: '2026-12-24',
    priorityLabel: 'High',
    health: 'onTrack',
    status: { id: `status-${status}`, name: status },
    lead: person(lead),
    creator: person('ann'),
  };
}

export function updateForm(world: LinearWorld, update: ProjectUpdate): Form {
  const { user, project, ...own } = update;
  return {
    ...own,
    ...timesOf(update),
    url: `${root}/update/${update.id}`,
    user: person(user),
    project: () => projectIn(world, project),
  };
}

export function documentForm(world: LinearWorld, document: LinearDocument): Form {
  const { project, ...own } = document;
  return {
    ...own,
    ...timesOf(document),
    url: `${root}/document/${document.slugId}`,
    creator: person('ann'),
    issue: null,
    project: () => projectIn(world, project),
  };
}

export function labelForm(id: string, name: string): Form {
  const time = dateTime(0);
  return { id, name, createdAt: time, updatedAt: time, archivedAt: null };
}

export function person(name: string | null): Form | null {
  return name === null ? null : { id: `user-${name}`, name, displayName: name };
}

function issueIn(world: LinearWorld, id: string | null): Form | null {
  const found = world.issues.get(id ?? '');
  return found === undefined ? null : issueForm(world, found);
}

function projectIn(world: LinearWorld, id: string | null): Form | null {
  const found = world.projects.get(id ?? '');
  return found === undefined ? null : projectForm(found);
}

interface Times {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archivedAt: number | null;
}

function timesOf({ createdAt, updatedAt, archivedAt }: Times): Form {
  return {
    createdAt: dateTime(createdAt),
    updatedAt: dateTime(updatedAt),
    archivedAt: archivedAt === null ? null : dateTime(archivedAt),
  };
}

function dateTime(ms: number): string {
  return new Date(ms).toISOString();
}
