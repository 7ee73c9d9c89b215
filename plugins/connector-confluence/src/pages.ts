import type { ErrorRule } from '@trove/connector-kit/http';

export const noLogin =
  'Confluence does not accept the login. Create a new token and check the email address.';

/** Rules for both editions. */
export const commonErrors: readonly ErrorRule[] = [
  { when: { status: 401 }, do: 'login', code: 'login_refused', say: noLogin },
  // A site with anonymous access serves requests with a wrong login as anonymous ones.
  { when: { body: { type: 'anonymous' } }, do: 'login', code: 'login_refused', say: noLogin },
];

/** Returns the path of a page: `OPS/Set up~123.md`. */
export function pageName({
  space = 'pages',
  title,
  id,
}: {
  readonly space: string | undefined;
  readonly title: string;
  readonly id: string;
}): string {
  return `${pathName(space)}/${pathName(title)}~${id}.md`;
}

/** Makes a title a step of a path. */
export function pathName(title: string): string {
  return title.replaceAll('/', '∕').trim();
}
