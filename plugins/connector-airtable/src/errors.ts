import type { ErrorRule } from '@trove/connector-kit/http';

/** Rules for all requests. */
export const errors: readonly ErrorRule[] = [
  {
    when: { status: 401 },
    do: 'login',
    code: 'login',
    say: 'Airtable refused the token. Set `token` to a personal access token that has not been deleted.',
  },
  {
    when: { status: 403 },
    do: 'fail',
    code: 'missing_access',
    say: 'Airtable refuses access. Give the token the scopes data.records:read and schema.bases:read, and add the base under "Access", at https://airtable.com/create/tokens.',
  },
  {
    when: { status: 429, text: 'PUBLIC_API_BILLING_LIMIT_EXCEEDED' },
    do: 'fail',
    code: 'monthly_limit',
    say: 'The workspace has used up the API calls of its plan for this month.',
  },
  // The service forgets the position of a listing after some minutes without a request.
  { when: { status: 422, text: 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE' }, do: 'expired' },
];

/** Rules for the comments of a record. */
export const commentErrors: readonly ErrorRule[] = [
  {
    when: { status: 403 },
    do: 'skip',
    say: 'Comments are left out, because the token lacks the scope data.recordComments:read. Add it, or set `comments = false`.',
  },
];
