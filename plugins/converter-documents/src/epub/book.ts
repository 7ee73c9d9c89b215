import { damaged } from '../errors.js';
import { childOf, childrenOf, descendantsOf, textOf } from '../xml/element.js';
import { readXmlRoot } from '../xml/read.js';
import type { Archive } from '../zip/archive.js';

export interface Book {
  readonly title: string | undefined;
  /** The members of its chapters in reading order. */
  readonly chapters: readonly string[];
}

/** Reads the description of an e-book. Throws if the archive is not one. */
export function readBook(archive: Archive): Book {
  const container = readXmlRoot(archive, 'META-INF/container.xml');
  const [rootFile] = container === undefined ? [] : descendantsOf(container, 'rootfile');
  const path = rootFile?.attributes['full-path'];
  const root = readXmlRoot(archive, path);
  if (path === undefined || root === undefined)
    throw damaged('is a ZIP archive, but not of an e-book');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const items = new Map<string | undefined, string>();
  for (const { attributes } of descendantsOf(root, 'item')) {
    const { id, href = '', 'media-type': type = '' } = attributes;
    if (/html/.test(type)) items.set(id, memberAt(folder, href));
  }
  const chapters = descendantsOf(root, 'itemref').flatMap(
    ({ attributes }) => items.get(attributes['idref']) ?? [],
  );
  const metadata = childOf(root, 'metadata');
  const [title] = metadata === undefined ? [] : childrenOf(metadata, 'title');
  return {
    title: title === undefined ? undefined : textOf(title),
    chapters: [...new Set(chapters)],
  };
}

/** Returns the member for a reference in a file of `folder` (`OPS/`, '' for the root). */
export function memberAt(folder: string, reference: string): string {
  try {
    const { pathname } = new URL(reference, `epub:///${encodeURI(folder)}`);
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return folder + reference;
  }
}
