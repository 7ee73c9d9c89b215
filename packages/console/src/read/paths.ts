/** Returns the root of the source that contains a URI, or null. */
export function rootOf(uri: string, roots: readonly string[]): string | null {
  const holding = roots.filter((root) => isWithin(uri, root));
  return holding.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** Returns the folders from the root of a source to a URI, with the root and the URI itself. */
export function pathFrom(root: string, uri: string): string[] {
  const below = uri.slice(root.length).split('/').filter(Boolean);
  const start = root.replace(/\/+$/, '');
  return [root, ...below.map((_, index) => `${start}/${below.slice(0, index + 1).join('/')}`)];
}

/** Resolves a relative link of a text. Returns null for a link to another scheme or out of the source. */
export function resolveLink(href: string, from: string, root: string): string | null {
  const [target = ''] = href.split(/[?#]/);
  if (target === '' || /^[a-z][\w+.-]*:/i.test(target) || target.startsWith('//')) return null;
  const start = target.startsWith('/') ? root : from.slice(0, from.lastIndexOf('/'));
  const segments = start.split('/');
  for (const segment of target.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  const uri = segments.join('/');
  return isWithin(uri, root) ? uri : null;
}

function isWithin(uri: string, root: string): boolean {
  const start = root.replace(/\/+$/, '');
  return uri === root || uri === start || uri.startsWith(`${start}/`);
}
