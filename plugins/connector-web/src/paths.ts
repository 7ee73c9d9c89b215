/*
 * Addresses and paths of the tree convert into each other without stored data. `/guide/` is `guide/index.html`, `/guide` and
 * `/guide.html` are `guide.html`, and `/guide?lang=de` is `guide?lang=de.html`. If two addresses have the same usual path,
 * the second gets its exact path: `guide~.html` is always `/guide`.
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

/** Returns the usual path of an address in the tree, and its exact path, which no other address has. */
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

/** Returns the possible addresses of a path, the likeliest first; none for an invalid path. */
export function addressesOf(path: string, root: URL): URL[] {
  if (path === '') return [root];
  const names = path.split('/');
  const last = names.pop() ?? '';
  if (last === '' || names.includes('') || [...names, last].some(isInvalidName)) return [];
  const folder = names.map((name) => `${name === emptyName ? '' : encodeUnsafe(name)}/`).join('');
  const addresses = tailsOf(last).map((tail) => new URL(root.href + folder + encodeUnsafe(tail)));
  if (path === 'index.html' && root.pathname !== '/')
    addresses.push(new URL(root.href.replace(/\/$/, '')));
  return addresses.filter(({ href }) => href.startsWith(root.href) || `${href}/` === root.href);
}

function tailsOf(name: string): string[] {
  if (exactEnding.test(name)) return [name.replace(exactEnding, '')];
  if (name.includes('?')) return name.endsWith('.html') ? [name.slice(0, -'.html'.length)] : [];
  if (name === 'index.html') return ['', name];
  return name.endsWith('.html') ? [name, name.slice(0, -'.html'.length)] : [name];
}

/** Stands for an empty folder name, as in `/a//b`. */
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

/** Decodes escaped spaces and non-ASCII letters. Other escapes stay. */
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
