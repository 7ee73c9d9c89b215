import { PathPattern } from '@trove/text/glob';

/** A pattern of local paths: the folder, and the test for paths below it. */
export interface LocalGlob {
  readonly folder: string;
  readonly matches: (path: string) => boolean;
}

/** Returns null unless the source is an absolute path with a wildcard. */
export function parseLocalGlob(source: string): LocalGlob | null {
  const wildcard = source.search(/[*?[]/u);
  if (!source.startsWith('/') || wildcard < 0) return null;
  const cut = source.lastIndexOf('/', wildcard);
  const pattern = PathPattern.parse(source.slice(cut));
  const matches = (path: string): boolean =>
    pattern?.matches(path, path.slice(path.lastIndexOf('/') + 1)) === true;
  return { folder: source.slice(0, cut) || '/', matches };
}
