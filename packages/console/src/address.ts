/** The folder of the page, without a slash at its end. A proxy may serve it below another path. */
export const base = new URL('.', location.href).href.replace(/\/$/, '');

const passName = 'pass';

/** Removes a pass from the address and returns it. Returns null if there is none. */
export function takePass(): string | null {
  const [path, query] = splitFragment(location.hash);
  const parameters = new URLSearchParams(query);
  const pass = parameters.get(passName);
  if (pass === null) return null;
  parameters.delete(passName);
  history.replaceState(null, '', `#${path}${parameters.size === 0 ? '' : `?${parameters}`}`);
  return pass;
}

/** Splits `#/search?q=fox` at its question mark. A fragment without a path consists of parameters. */
function splitFragment(fragment: string): [string, string] {
  const text = fragment.slice(1);
  if (!text.startsWith('/')) return ['', text];
  const end = text.indexOf('?');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}
