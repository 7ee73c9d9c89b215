import { defineHttpConnector, type ErrorRule, type Scope } from '@trove/connector-kit/http';

import type { Attachment, JiraComment, JiraIssue, Project } from './answers.js';
import { configSchema, type JiraConfig } from './config.js';
import { nextProjectPage, nextSearchPage } from './paging.js';
import { attachmentPath, commentRecord, issueFields, issueRecord } from './records.js';
import { apiUrl, containsProject, isCloud, issueQuery, siteUrl } from './site.js';
import { setup } from './setup.js';

const searchPath = ({ config }: Scope<JiraConfig>): string =>
  isCloud(config) ? '/search/jql' : '/search';
const noLogin =
  'Jira does not accept the login and answers as if nobody had logged in. Create a new token and check the email address.';

const errors: readonly ErrorRule[] = [
  // Cloud serves requests with a wrong or revoked token as anonymous ones, with status 200 and empty lists.
  {
    when: ({ headers }) => /FAILED|DENIED/.test(headers.get('x-seraph-loginreason') ?? ''),
    do: 'login',
    code: 'login_refused',
    say: noLogin,
  },
  {
    when: { text: 'scope does not match' },
    do: 'fail',
    code: 'missing_scope',
    say: 'The token lacks a scope. It needs `read:jira-work` and `read:jira-user`.',
  },
  { when: { status: 401 }, do: 'login', code: 'login_refused', say: noLogin },
  { when: { status: 400, text: 'nextPageToken' }, do: 'expired' },
  { when: { status: 400, text: "for field 'key'" }, do: 'absent' },
  { when: { status: 400 }, do: 'fail', say: 'Jira refuses the query: {errorMessages.0}' },
];

/** Anonymous callers see no project, and a source without projects would lose everything. */
const noProjects: ErrorRule = {
  when: ({ status, body }) => status === 200 && projectsOf(body)?.length === 0,
  do: 'fail',
  code: 'no_projects',
  say: 'Jira shows no project to this login. The account needs the permission Browse Projects.',
};

/**
 * Issues of Jira with their comments, as threads, and attachments: `jira://acme`, `jira://acme/OPS`. Longer than other
 * descriptions, because Cloud and Data Center differ in paging and paths, and a revoked login looks like an empty site.
 */
export const jira = defineHttpConnector({
  keys: ['jira'],
  configSchema,
  setup,
  base: apiUrl,
  auth: [
    { basic: { user: '{config.email}', password: '{secret.api_token}' } },
    { bearer: 'token' },
  ],
  check: { get: '/myself', say: 'Connected as {displayName}.', again: true },
  errors,
  objects: {
    issues: {
      for: 'projects',
      path: '{item.key}/issues',
      title: 'Issues of {item.name}',
      identity: 'id',
      url: (project: Project, scope) => `${siteUrl(scope)}/browse/${project.key}`,
      fields: { project: 'key' },
    },
  },
  streams: {
    projects: {
      get: ({ config }) => (isCloud(config) ? '/project/search' : '/project'),
      query: { maxResults: 100 },
      page: nextProjectPage,
      items: projectsOf,
      itemsRequired: true,
      where: ({ key }: Project, scope) => containsProject(key, scope),
      keep: ['id', 'key', 'name'],
      errors: [noProjects],
    },
    issues: {
      for: 'projects',
      get: searchPath,
      query: {
        jql: (scope) => issueQuery([`project = "${projectKey(scope)}"`], scope),
        fields: issueFields,
        maxResults: 100,
      },
      page: nextSearchPage,
      items: 'issues',
      itemsRequired: true,
      keep: ['key'],
      in: 'issues',
      key: { issue: 'key', id: 'id' },
      record: issueRecord,
      one: { get: '/issue/{key.issue}', query: { fields: issueFields } },
      ofThread: { query: { jql: (scope) => `key = ${JSON.stringify(scope.values['thread'])}` } },
      incremental: { by: 'since', send: {}, overlap: '10m' },
    },
    comments: {
      for: 'issues',
      get: '/issue/{item.key}/comment',
      query: { maxResults: 100, orderBy: 'created' },
      page: { by: 'offset', send: 'query.startAt', total: 'total' },
      items: (body: { readonly comments?: readonly JiraComment[] }, { item, values }) =>
        commentsOf(body.comments, values['thread'] ?? Object(item).key),
      embedded: {
        items: ({ key, fields }: JiraIssue) => commentsOf(fields?.comment?.comments, key),
        isComplete: ({ fields }: JiraIssue) =>
          fields?.comment?.total !== undefined &&
          fields.comment.total <= (fields.comment.comments?.length ?? 0),
      },
      in: 'issues',
      key: ['issue', 'id'],
      record: commentRecord,
      complete: { thread: 'key' },
      one: {
        get: '/issue/{key.issue}/comment/{key.id}',
        item: (comment: JiraComment, { values }) =>
          commentsOf([comment], Object(values['key']).issue)[0],
      },
      ofThread: { get: '/issue/{thread}/comment' },
      // The search may still find a deleted issue. To anonymous callers, all issues look deleted.
      errors: [
        { when: { status: 404 }, do: 'skip', say: 'The comments of a deleted issue are left out.' },
      ],
    },
    attachments: {
      get: searchPath,
      query: {
        jql: (scope) => issueQuery(['attachments is not EMPTY'], scope),
        fields: 'attachment,created',
        maxResults: 100,
      },
      page: nextSearchPage,
      items: attachmentsOf,
      itemsRequired: true,
      where: ({ issue }: { readonly issue: string }, scope) =>
        containsProject(issue.replace(/-\d+$/, ''), scope),
      keep: ['id', 'content', 'mimeType'],
      incremental: { by: 'since', send: {}, overlap: '10m' },
      document: {
        path: ({ item }) => attachmentPath(Object(item).issue, Object(item)),
        identity: 'id',
        title: 'filename',
        url: ({ issue }: { readonly issue: string }, scope) => `${siteUrl(scope)}/browse/${issue}`,
        author: 'author.displayName',
        size: 'size',
        modifiedAt: 'created',
        fingerprint: 'id',
        mediaType: 'mimeType',
        fields: { issue: 'issue' },
      },
      one: { get: '/attachment/{identity}' },
      read: { get: contentPath, ranges: true },
    },
  },
});

function projectsOf(body: unknown): readonly unknown[] | undefined {
  const projects: unknown = Array.isArray(body) ? body : Object(body).values;
  return Array.isArray(projects) ? projects : undefined;
}

function projectKey({ item }: Scope<JiraConfig>): string {
  return String(Object(item).key);
}

function commentsOf(comments: readonly JiraComment[] = [], issue: unknown): readonly JiraComment[] {
  return comments.map((comment) => ({ ...comment, issue: String(issue) }));
}

function attachmentsOf({
  issues,
}: {
  readonly issues?: readonly JiraIssue[];
}): readonly unknown[] | undefined {
  return issues?.flatMap(({ key, fields }) =>
    (fields?.attachment ?? []).map((attachment: Attachment) => ({ ...attachment, issue: key })),
  );
}

/**
 * Cloud redirects to the content, also at the address for tokens with scopes. A data center names an address below its own base
 * URL, which may differ from the address in the settings.
 */
function contentPath(scope: Scope<JiraConfig>): string {
  const { id, content } = Object(scope.item);
  if (isCloud(scope.config)) return `/attachment/content/${id}`;
  const [path] = /\/secure\/attachment\/.*/.exec(String(content)) ?? [];
  return path === undefined ? String(content) : `${siteUrl(scope)}${path}`;
}
