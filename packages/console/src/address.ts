/** The folder of the page, without a slash at its end. A proxy may serve it below another path. */
export const base = new URL('.', location.href).href.replace(/\/$/, '');

/** Removes a pass from the address and returns it. Returns null if there is none. */
export function takePass(): string | null {
  return takeParameter('pass');
}

/** Like `takePass`, for the code of a link that signs in once. */
export function takeSignInCode(): string | null {
  return takeParameter('sign-in');
}

function takeParameter(name: string): string | null {
  const [path, query] = splitFragment(location.hash);
  const parameters = new URLSearchParams(query);
  const value = parameters.get(name);
  if (value === null) return null;
  parameters.delete(name);
  history.replaceState(null, '', `#${path}${parameters.size === 0 ? '' : `?${parameters}`}`);
  return value;
}

/** Splits `#/search?q=fox` at its question mark. A fragment without a path consists of parameters. */
function splitFragment(fragment: string): [string, string] {
  const text = fragment.slice(1);
  if (!text.startsWith('/')) return ['', text];
  const end = text.indexOf('?');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}
