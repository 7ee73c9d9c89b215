import type { ErrorRule } from '@trove/connector-kit/http';

/** Permissions of fine-grained tokens, by their names in the service's headers. */
const permissions = { issues: 'Issues', pull_requests: 'Pull requests', contents: 'Contents' };

/** The service names a missing permission only in a header. */
const missingPermissions: readonly ErrorRule[] = Object.entries(permissions).map(
  ([permission, name]) => ({
    when: ({ status, headers }) =>
      status === 403 &&
      headers.get('x-accepted-github-permissions')?.includes(`${permission}=read`) === true,
    do: 'fail',
    code: 'missing_permission',
    say: `The token lacks the permission "${name}: read". Add it in the settings of the token.`,
  }),
);

/** Rules for all requests. */
export const repositoryErrors: readonly ErrorRule[] = [
  ...missingPermissions,
  // The answer need not state a time.
  { when: { text: 'secondary rate limit' }, do: 'wait' },
  {
    when: { status: 404 },
    do: 'absent',
    say: 'GitHub shows no such repository to this login. Check the name, and whether the token includes the repository.',
  },
  // The check requests issues to find a missing permission.
  { when: { status: 410, text: 'disabled' }, do: 'ok' },
];

/** Pull requests are issues for the service. */
export const disabledIssues =
  'Issues are disabled in this repository. GitHub then lists no pull requests either.';

export const issuesDisabled: ErrorRule = {
  when: { status: 410, text: 'disabled' },
  do: 'skip',
  say: disabledIssues,
};

/** The number is that of an issue, or the repository has no pull requests. */
export const noPullRequest: ErrorRule = {
  when: { status: 404 },
  do: 'skip',
  say: 'The repository has no pull requests.',
};
