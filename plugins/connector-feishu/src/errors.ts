import type { ErrorRule } from '@trove/connector-kit/http';

/** Errors have a code, with status 200 or 400. */
export const errors: readonly ErrorRule[] = [
  { when: { body: { code: 99991400 } }, do: 'wait' },
  {
    when: { body: { code: 99991403 } },
    do: 'wait',
    say: 'The tenant has used up its calls of this month.',
  },
  {
    when: { body: { code: [99991661, 99991663, 99991664, 99991668, 99991671] } },
    do: 'login',
    code: 'login',
    say: 'Feishu refused the login of the app: {msg}',
  },
  {
    when: { body: { code: 99991672 } },
    do: 'fail',
    code: 'missing_scope',
    say: 'The app lacks a permission: {msg}. Add it under "Permissions & Scopes" and publish a new version of the app.',
  },
  {
    when: { body: { code: [230002, 230006] } },
    do: 'skip',
    say: 'Feishu does not show a chat that it had listed: {msg}. It keeps its last indexed state.',
  },
  {
    when: { body: { code: [131006, 1061004, 1770032] } },
    do: 'fail',
    code: 'forbidden',
    say: 'The app may not read this: {msg}. Add the app to the page, folder or wiki as a reader.',
  },
  { when: { body: { code: [131005, 1061003, 1770002, 1770003] } }, do: 'absent' },
  {
    when: { body: { code: [99991500, 1061045, 1771001, 131007] } },
    do: 'retry',
  },
  { when: hasCode, do: 'fail', say: 'Feishu refused a request: {msg} ({code}).' },
];

function hasCode({ body }: { readonly body: unknown }): boolean {
  const { code = 0 }: { readonly code?: number } = Object(body);
  return code !== 0;
}
