import type { ErrorRule } from '@trove/connector-kit/http';

export const errors: readonly ErrorRule[] = [
  {
    when: { status: 401 },
    do: 'login',
    code: 'login_refused',
    say: 'Asana does not accept the token: {errors.0.message}. Create another one at https://app.asana.com/0/my-apps.',
  },
  {
    when: { status: 402 },
    do: 'fail',
    code: 'payment_required',
    say: 'The plan of the workspace does not include this: {errors.0.message}',
  },
  {
    when: { status: 403 },
    do: 'fail',
    code: 'forbidden',
    say: 'The owner of the token may not read this: {errors.0.message}',
  },
  // The tokens of pages expire after some time.
  { when: { status: 400, text: 'pagination token has expired' }, do: 'expired' },
];

/** For the listings of a project, which may be closed to the token's owner while a sync runs. */
export const projectErrors: readonly ErrorRule[] = [
  {
    when: { status: [402, 403] },
    do: 'skip',
    say: 'Asana does not show a part of a project to the owner of the token: {errors.0.message}',
  },
];
