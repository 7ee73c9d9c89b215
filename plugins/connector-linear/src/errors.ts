import type { ErrorRule } from '@trove/connector-kit/http';

/** Rules for all requests. The kit knows the codes of limits and refused logins. */
export const errors: readonly ErrorRule[] = [
  {
    when: { graphql: ['AUTHENTICATION_ERROR', 'UNAUTHENTICATED'] },
    do: 'login',
    code: 'login',
    say: 'Linear refused the token: {errors.0.message}. Set `token` to a key of the workspace that has not been revoked.',
  },
  {
    when: { graphql: 'FORBIDDEN' },
    do: 'fail',
    code: 'missing_permission',
    say: 'The token lacks a right: {errors.0.message}. Create a key with the permission "Read", or an OAuth token with the scope `read`.',
  },
  // A cursor of a listing that was interrupted long ago.
  { when: { graphql: 'INPUT_ERROR', text: 'cursor' }, do: 'expired' },
  // The service has no other code for an issue that it does not find.
  { when: { graphql: 'INPUT_ERROR', text: 'Entity not found' }, do: 'absent' },
];
