import type { Attachment, Comment, Edition, Issue, JiraWorld, Project } from './world.js';

/** What all forms need besides the item. */
export interface Site {
  readonly world: JiraWorld;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
}

const statuses = {
  'To Do': { id: '1', key: 'new', category: 2 },
  'In Progress': { id: '3', key: 'indeterminate', category: 4 },
  Done: { id: '5', key: 'done', category: 3 },
} as const;
const names: Readonly<Record<string, string>> = { ann: 'Ann Archer', bob: 'Bob Baker' };

/** `/rest/api/3` in Cloud, `/rest/api/2` in a data centre. */
export function apiPath(edition: Edition): string {
  return edition === 'cloud' ? '/rest/api/3' : '/rest/api/2';
}

/** A time in the time zone of the API's user, which has no colon. */
function timeForm(ms: number): string {
  return new Date(ms + 3_600_000).toISOString().replace('Z', '+0100');
}

/** Text as Cloud returns it: a document of Atlassian's format. Paragraphs are separated by empty lines. */
function documentForm(text: string): unknown {
  const content = text.split('\n\n').map((paragraph) => ({
    type: 'paragraph',
    content: [{ type: 'text', text: paragraph }],
  }));
  return { type: 'doc', version: 1, content };
}

function bodyForm({ world }: Site, body: unknown): unknown {
  return typeof body === 'string' && world.edition === 'cloud' ? documentForm(body) : body;
}

export function userForm(site: Site, name: string): unknown {
  const { world, origin } = site;
  const common = {
    displayName: names[name] ?? name,
    active: true,
    timeZone: 'Europe/Berlin',
    avatarUrls: { '48x48': `${origin}/avatars/${name}.png` },
  };
  const api = `${origin}${apiPath(world.edition)}`;
  return world.edition === 'cloud'
    ? {
        self: `${api}/user?accountId=5b-${name}`,
        accountId: `5b-${name}`,
        accountType: 'atlassian',
        ...common,
      }
    : {
        self: `${api}/user?username=${name}`,
        key: `JIRAUSER-${name}`,
        name,
        emailAddress: `${name}@acme.example`,
        ...common,
      };
}

export function projectForm({ world, origin }: Site, { id, key, name }: Project): unknown {
  const self = `${origin}${apiPath(world.edition)}/project/${id}`;
  const form = { self, id: String(id), key, name, projectTypeKey: 'software' };
  return world.edition === 'cloud'
    ? { ...form, simplified: false, style: 'classic', isPrivate: false }
    : form;
}

export function commentForm(
  site: Site,
  { id, issue, author, body, createdAt, updatedAt }: Comment,
): unknown {
  const { world, origin } = site;
  return {
    self: `${origin}${apiPath(world.edition)}/issue/${issue}/comment/${id}`,
    id: String(id),
    author: userForm(site, author),
    body: bodyForm(site, body),
    updateAuthor: userForm(site, author),
    created: timeForm(createdAt),
    updated: timeForm(updatedAt),
    ...(world.edition === 'cloud' ? { jsdPublic: true } : {}),
  };
}

export function attachmentForm(site: Site, attachment: Attachment): unknown {
  const { world, origin } = site;
  const { id, filename, mediaType, bytes, createdAt } = attachment;
  const content =
    world.edition === 'cloud'
      ? `/rest/api/3/attachment/content/${id}`
      : `/secure/attachment/${id}/${encodeURIComponent(filename)}`;
  return {
    self: `${origin}${apiPath(world.edition)}/attachment/${id}`,
    id: String(id),
    filename,
    author: userForm(site, 'bob'),
    created: timeForm(createdAt),
    size: Buffer.byteLength(bytes),
    mimeType: mediaType,
    content: `${world.baseUrl ?? origin}${content}`,
  };
}

/** The comments within an issue, of which only the first ones are there. */
function embeddedComments(site: Site, issue: Issue): unknown {
  const { world, origin } = site;
  const all = world.commentsOf(issue.id);
  const comments = all.slice(0, world.maxEmbeddedComments);
  return {
    comments: comments.map((comment) => commentForm(site, comment)),
    self: `${origin}${apiPath(world.edition)}/issue/${issue.id}/comment`,
    maxResults: comments.length,
    total: all.length,
    startAt: 0,
  };
}

function allFields(site: Site, issue: Issue): Record<string, unknown> {
  const { world, origin } = site;
  const api = `${origin}${apiPath(world.edition)}`;
  const { id, key, category } = statuses[issue.status];
  const project = world.projects.get(issue.project);
  return {
    summary: issue.summary,
    description: bodyForm(site, issue.description),
    created: timeForm(issue.createdAt),
    updated: timeForm(issue.updatedAt),
    status: {
      self: `${api}/status/${id}`,
      id,
      name: issue.status,
      description: '',
      iconUrl: `${origin}/images/status.gif`,
      statusCategory: {
        self: `${api}/statuscategory/${category}`,
        id: category,
        key,
        colorName: 'yellow',
        name: issue.status,
      },
    },
    issuetype: {
      self: `${api}/issuetype/10002`,
      id: '10002',
      name: 'Task',
      description: '',
      iconUrl: '',
      subtask: false,
    },
    priority: {
      self: `${api}/priority/3`,
      id: '3',
      name: 'Medium',
      iconUrl: `${origin}/images/medium.png`,
    },
    project: project === undefined ? null : projectForm(site, project),
    reporter: userForm(site, issue.reporter),
    creator: userForm(site, issue.reporter),
    assignee: issue.assignee === null ? null : userForm(site, issue.assignee),
    labels: issue.labels,
    resolution: null,
    resolutiondate: null,
    duedate: null,
    components: [],
    attachment: world.attachmentsOf(issue.id).map((attachment) => attachmentForm(site, attachment)),
    comment: embeddedComments(site, issue),
  };
}

const heavyFields: ReadonlySet<string> = new Set(['attachment', 'comment']);

/** An issue with the requested fields. Without any, it has only an id. */
export function issueForm(site: Site, issue: Issue, fields: readonly string[]): unknown {
  if (fields.length === 0) return { id: String(issue.id) };
  const every = Object.entries(allFields(site, issue));
  const chosen = every.filter(
    ([name]) =>
      fields.includes(name) ||
      fields.includes('*all') ||
      (fields.includes('*navigable') && !heavyFields.has(name)),
  );
  return {
    expand: 'renderedFields,names,schema',
    id: String(issue.id),
    self: `${site.origin}${apiPath(site.world.edition)}/issue/${issue.id}`,
    key: issue.key,
    ...(chosen.length === 0 ? {} : { fields: Object.fromEntries(chosen) }),
  };
}
