import type { Answer, ErrorAction, ErrorRule } from '@trove/connector-kit/http';

/** A token that is valid, but not for this request, has the status 401, too. */
const notPermitted = 'token_unauthorized';
const notInPlan = 'api_plan_restricted';

export const errors: readonly ErrorRule[] = [
  // Without this rule, an answer without a list would count as an empty one.
  {
    when: ({ status, body }) => status < 400 && isRefusal(Object(body)),
    do: 'retry',
    say: 'Intercom answers with an error: {errors.0.message}',
  },
  // The check needs this permission.
  ...permissionErrors('Read conversations', 'fail', '/conversations'),
  {
    when: isForbidden,
    do: 'fail',
    code: 'missing_permission',
    say: 'The app lacks a permission: {errors.0.message}.',
  },
  {
    when: { status: 401 },
    do: 'login',
    code: 'login_refused',
    say: 'Intercom does not accept the token. Copy the access token of the app again.',
  },
  {
    when: { status: 403, body: { 'errors.0.code': notInPlan } },
    do: 'fail',
    code: 'plan_restricted',
    say: 'The plan of the workspace does not include this API: {errors.0.message}',
  },
];

/** Rules for requests that need a permission of the app. `path`: the beginning of their paths. */
export function permissionErrors(
  permission: string,
  action: ErrorAction = 'skip',
  path = '/',
): readonly ErrorRule[] {
  return [
    {
      when: (answer) => isForbidden(answer) && new URL(answer.url).pathname.startsWith(path),
      do: action,
      code: 'missing_permission',
      say: `The app lacks the permission "${permission}". Add it in the Developer Hub under Configure > Authentication.`,
    },
  ];
}

/** Names are shown only if the app may read them. */
export const nameErrors: readonly ErrorRule[] = [{ when: isForbidden, do: 'absent' }];

/** The list of deleted conversations only adds to the list of the others. */
export const deletionErrors: readonly ErrorRule[] = [
  {
    when: (answer) => isForbidden(answer) && new URL(answer.url).pathname.endsWith('/deleted'),
    do: 'ok',
  },
];

/** A plan without internal articles has none to list. */
export const planErrors: readonly ErrorRule[] = [
  { when: { status: 403, body: { 'errors.0.code': notInPlan } }, do: 'ok' },
];

/** Whether an answer states an error. The rules above accept some, which mean that there is nothing to list. */
export function isRefusal(body: object): boolean {
  return 'errors' in body;
}

/** Whether an answer refuses this request, but neither the token nor the workspace as a whole. */
function isForbidden({ status, body }: Answer): boolean {
  const code = codeOf(body);
  return status === 403 ? code !== notInPlan : status === 401 && code === notPermitted;
}

function codeOf(body: unknown): string | undefined {
  const { errors: found }: { readonly errors?: readonly { readonly code?: string }[] } =
    Object(body);
  return found?.[0]?.code;
}
