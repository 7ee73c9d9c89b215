import type { Answer, ErrorRule } from '@trove/connector-kit/http';

interface Me {
  readonly user?: { readonly id?: number | null; readonly name?: string; readonly role?: string };
}

function userOf({ status, url, body }: Answer): Me['user'] {
  if (status !== 200 || !new URL(url).pathname.endsWith('/users/me.json')) return undefined;
  const { user }: Me = Object(body);
  return user;
}

export const errors: readonly ErrorRule[] = [
  // A request without a login is served as that of an anonymous user, with status 200.
  {
    when: (answer) => {
      const user = userOf(answer);
      return user?.id === null || user?.name === 'Anonymous user';
    },
    do: 'login',
    code: 'login_refused',
    say: 'Zendesk does not accept the login. Create a new API token and check the email address.',
  },
  {
    when: (answer) => (userOf(answer)?.role ?? 'admin') !== 'admin',
    do: 'fail',
    code: 'missing_role',
    say: '{user.name} has the role "{user.role}". Exports of tickets need the role "admin".',
  },
  {
    when: { status: 401 },
    do: 'login',
    code: 'login_refused',
    say: 'Zendesk does not accept the login. Create a new API token and check the email address.',
  },
];

/** An account without Support has no tickets. */
const noSupport: ErrorRule = {
  when: { status: 403, body: { 'errors.0.code': 'SupportProductInactive' } },
  do: 'ok',
};

export const exportErrors: readonly ErrorRule[] = [
  noSupport,
  { when: { status: [400, 422], text: 'cursor' }, do: 'expired' },
  {
    when: { status: 403 },
    do: 'fail',
    code: 'missing_role',
    say: 'Zendesk refuses the export of tickets. It needs the role "admin", and an OAuth token the scope "read".',
  },
];

/** An account without a help center has no articles. */
export const articleErrors: readonly ErrorRule[] = [{ when: { status: 404 }, do: 'ok' }];

/** Whether an answer states an error. The rules above accept some, which mean that there is nothing to list. */
export function isRefusal(body: object): boolean {
  return 'error' in body || 'errors' in body;
}
