import { createHash } from 'node:crypto';
import { defineHttpConnector } from '@trove/connector-kit/http';

import { configSchema, repositoryOf } from './config.js';
import { discussionStreams, graphqlUrl, type GitHubRepository } from './discussions.js';
import { disabledIssues, issuesDisabled, noPullRequest, repositoryErrors } from './errors.js';
import {
  bodyOf,
  labelsOf,
  numberIn,
  stateOf,
  textOf,
  typeOf,
  type GitHubIssue,
  type Release,
  type Review,
} from './items.js';
import { setup } from './setup.js';

/** In the order of changes, an item that changes during a listing would move, and another one would be left out. */
const inOrder = { sort: 'created', direction: 'asc', per_page: 100 };
/** The service may list an item hours after its change. */
const since = { by: 'since', send: { query: { since: '{since}' } }, overlap: '3h' } as const;
/** The service reports no deletions. */
const countEvery = '7d';
/** What all kinds of comments have in common. */
const comment = { text: bodyOf, at: 'created_at', author: 'user.login', url: 'html_url' };

/** Connector for repositories of GitHub (`github://owner/repository`): issues, pull requests, discussions and releases. */
export default defineHttpConnector({
  keys: ['github'],
  configSchema,
  setup,
  base: (scope) => `${scope.config.base_url}/repos/${repositoryOf(scope)}`,
  // Without a token, the service shows public repositories.
  auth: async (_scope, secret) => {
    const token = await secret('token');
    return token === undefined ? {} : { headers: { authorization: () => `Bearer ${token}` } };
  },
  graphql: graphqlUrl,
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  check: {
    get: '/issues',
    query: { state: 'all', per_page: 1 },
    say: () => 'The repository can be read.',
  },
  errors: repositoryErrors,
  lookups: { repositories: { get: '', value: '.' } },
  objects: {
    issues: {
      path: 'issues',
      kind: 'message_stream',
      title: 'Issues and pull requests',
      countEvery,
      skip: async (_item: unknown, { lookup }) => {
        const { has_issues: hasIssues }: Partial<GitHubRepository> = Object(
          await lookup('repositories', 'own'),
        );
        return hasIssues === false ? disabledIssues : '';
      },
    },
    discussions: { path: 'discussions', kind: 'message_stream', title: 'Discussions', countEvery },
  },
  streams: {
    issues: {
      in: 'issues',
      get: '/issues',
      query: { state: 'all', ...inOrder },
      page: 'link',
      items: (answer) => [answer].flat(),
      key: { id: 'number' },
      keep: ['number'],
      errors: [issuesDisabled],
      incremental: since,
      one: { get: '/issues/{key.id}' },
      ofThread: { get: '/issues/{thread}' },
      record: {
        ...comment,
        title: 'title',
        text: textOf,
        thread: 'number',
        fields: { type: typeOf },
        threadFields: {
          number: 'number',
          state: stateOf,
          labels: labelsOf,
          assignees: 'assignees[].login',
          milestone: 'milestone.title',
        },
      },
    },
    comments: {
      in: 'issues',
      get: '/issues/comments',
      query: inOrder,
      page: 'link',
      key: 'id',
      errors: [issuesDisabled],
      incremental: since,
      one: { get: '/issues/comments/{key.id}' },
      ofThread: { get: '/issues/{thread}/comments' },
      record: { ...comment, thread: numberIn('issue_url'), fields: { type: () => 'comment' } },
    },
    line_comments: {
      in: 'issues',
      get: '/pulls/comments',
      query: inOrder,
      page: 'link',
      key: 'id',
      errors: [noPullRequest],
      incremental: since,
      one: { get: '/pulls/comments/{key.id}' },
      ofThread: { get: '/pulls/{thread}/comments' },
      record: {
        ...comment,
        thread: numberIn('pull_request_url'),
        fields: { type: () => 'line_comment', file: 'path', line: 'line' },
      },
    },
    reviews: {
      for: 'issues',
      when: (issue: GitHubIssue, { config }) => config.reviews && typeOf(issue) === 'pull_request',
      moved: 'updated_at',
      in: 'issues',
      get: '/pulls/{number}/reviews',
      query: { per_page: 100 },
      page: 'link',
      key: 'id',
      errors: [noPullRequest],
      ofThread: { get: '/pulls/{thread}/reviews' },
      where: 'body',
      record: {
        ...comment,
        at: 'submitted_at',
        thread: numberIn('pull_request_url'),
        fields: { type: () => 'review', verdict: ({ state }: Review) => state.toLowerCase() },
      },
    },
    ...discussionStreams,
    releases: {
      get: '/releases',
      query: { per_page: 100 },
      page: 'link',
      where: ({ draft }: Release) => !draft,
      keep: ['id'],
      document: {
        path: 'releases/{tag_name}.md',
        identity: 'id',
        title: ({ name, tag_name }: Release) => name ?? tag_name,
        url: 'html_url',
        author: 'author.login',
        modifiedAt: 'published_at',
        // The time does not change with the text.
        fingerprint: (release: Release) =>
          createHash('sha256').update(bodyOf(release)).digest('base64url'),
        mediaType: () => 'text/markdown',
      },
      one: { get: '/releases/{identity}' },
      read: { get: '/releases/{id}', text: bodyOf, mediaType: () => 'text/markdown' },
    },
  },
});
