/*
 * An address and its place in the tree lead to each other without anything being kept: `/guide/` is `guide/index.html`, `/guide`
 * and `/guide.html` are `guide.html`, and `/guide?lang=de` is `guide?lang=de.html`. Where two addresses would be at the same place,
 * the second is at its exact one: `guide~.html` is `/guide` and nothing else.
 */

const pageEnding = /\.x?html?$/i;
const exactEnding = /~\.[a-z0-9]+$/;
const fileEnding = /\.[a-z0-9]{1,8}$/i;
const endings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'application/xml': 'xml',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/xml': 'xml',
};

/** Where in the tree an address is, the usual place first, then the one that no other address has. */
export function pathsOf(address: URL, root: URL, mediaType: string): readonly [string, string] {
  const { folder, last, query } = partsOf(address, root);
  const isPage = mediaType === 'text/html';
  const exact = `${folder}${last}${query}~.${endings[mediaType] ?? 'bin'}`;
  if (/~(?:\.[a-z0-9]+)?$/.test(last + query) || last.endsWith('~')) return [exact, exact];
  if (!isPage) {
    const isNamed = query === '' && fileEnding.test(last) && !pageEnding.test(last);
    return [isNamed ? folder + last : exact, exact];
  }
  if (query !== '') return [`${folder}${last}${query}.html`, exact];
  if (last === '') return [`${folder}index.html`, exact];
  return [`${folder}${last}${pageEnding.test(last) ? '' : '.html'}`, exact];
}

/** The addresses that may be at a place, the likeliest first; none for what is no place of this tree. */
export function addressesOf(path: string, root: URL): URL[] {
  if (path === '') return [root];
  const names = path.split('/');
  const last = names.pop() ?? '';
  if (last === '' || names.includes('') || [...names, last].some(isInvalidName)) return [];
  const folder = names.map((name) => `${name === emptyName ? '' : encodeUnsafe(name)}/`).join('');
  const found = tailsOf(last).map((tail) => new URL(root.href + folder + encodeUnsafe(tail)));
  if (path === 'index.html' && root.pathname !== '/')
    found.push(new URL(root.href.replace(/\/$/, '')));
  return found.filter(({ href }) => href.startsWith(root.href) || `${href}/` === root.href);
}

function tailsOf(name: string): string[] {
  if (exactEnding.test(name)) return [name.replace(exactEnding, '')];
  if (name.includes('?')) return name.endsWith('.html') ? [name.slice(0, -'.html'.length)] : [];
  if (name === 'index.html') return ['', name];
  return name.endsWith('.html') ? [name, name.slice(0, -'.html'.length)] : [name];
}

/** A folder without a name: `/a//b`. */
const emptyName = '%';

function partsOf(
  address: URL,
  root: URL,
): { readonly folder: string; readonly last: string; readonly query: string } {
  const below = address.pathname.slice(root.pathname.length).split('/');
  const last = decodeReadable(below.pop() ?? '');
  const folder = below.map((name) => `${name === '' ? emptyName : decodeReadable(name)}/`).join('');
  return { folder, last, query: decodeReadable(address.search) };
}

/** Letters of other scripts, and spaces, can be read; all other escapes stay as they are. */
function decodeReadable(text: string): string {
  return text.replaceAll(/(?:%20|%[89A-F][0-9A-F])+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function encodeUnsafe(text: string): string {
  return text.replaceAll(/[^!-~]+/g, (run) => encodeURIComponent(run.toWellFormed()));
}

function isInvalidName(name: string): boolean {
  return name === '.' || name === '..' || name.includes('#');
}
