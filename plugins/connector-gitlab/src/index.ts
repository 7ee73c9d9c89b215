import { createHash } from 'node:crypto';
import { defineHttpConnector, type Scope } from '@trove/connector-kit/http';

import { configSchema, projectOf } from './config.js';
import { skipDisabled, threadStreams } from './threads.js';
import { setup } from './setup.js';

interface Release {
  readonly description?: string | null;
}

/** The service reports no deletions. */
const countEvery = '7d';

const textOf = ({ description }: Release): string => description ?? '';

/** Returns a reason if a member of the project is false. */
function ifDisabled(member: string, reason: string) {
  return async (_item: unknown, { lookup }: Scope): Promise<string> => {
    const project: Readonly<Record<string, unknown>> = Object(await lookup('projects', 'own'));
    return project[member] === false ? reason : '';
  };
}

/** Connector for projects of GitLab (`gitlab://group/project`): issues, merge requests and releases. */
export default defineHttpConnector({
  keys: ['gitlab'],
  configSchema,
  setup,
  base: (scope) =>
    `${scope.config.base_url}/api/v4/projects/${encodeURIComponent(projectOf(scope))}`,
  // Without a token, the service shows public projects.
  auth: async (_scope, secret) => {
    const token = await secret('token');
    return token === undefined ? {} : { headers: { authorization: () => `Bearer ${token}` } };
  },
  check: { get: '', say: 'Can read {path_with_namespace}.' },
  errors: [
    {
      when: { status: 404, text: 'Project Not Found' },
      do: 'absent',
      say: 'GitLab shows no such project to this login. Check the path, and whether the token may read the project.',
    },
    {
      when: { status: 403, body: { error: 'insufficient_scope' } },
      do: 'fail',
      code: 'missing_scope',
      say: 'The token lacks a scope. Create a token with `read_api`. GitLab accepts any of: {scope}.',
    },
  ],
  lookups: { projects: { get: '', value: '.' } },
  objects: {
    issues: {
      path: 'issues',
      kind: 'message_stream',
      title: 'Issues',
      countEvery,
      skip: ifDisabled('issues_enabled', 'The issues of the project are disabled.'),
    },
    merge_requests: {
      path: 'merge_requests',
      kind: 'message_stream',
      title: 'Merge requests',
      countEvery,
      skip: ifDisabled('merge_requests_enabled', 'The merge requests of the project are disabled.'),
    },
  },
  streams: {
    ...threadStreams('issues'),
    ...threadStreams('merge_requests'),
    releases: {
      get: '/releases',
      query: { per_page: 100 },
      page: 'link',
      keep: ['tag_name'],
      errors: [skipDisabled('releases')],
      document: {
        path: 'releases/{tag_name}.md',
        identity: 'tag_name',
        title: 'name',
        url: '_links.self',
        author: 'author.name',
        modifiedAt: 'released_at',
        // The time does not change with the text.
        fingerprint: (release: Release) =>
          createHash('sha256').update(textOf(release)).digest('base64url'),
        mediaType: () => 'text/markdown',
      },
      one: { get: '/releases/{identity}' },
      read: { get: '/releases/{tag_name}', text: textOf, mediaType: () => 'text/markdown' },
    },
  },
});
