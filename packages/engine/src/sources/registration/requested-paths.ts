import { TroveError } from '@trove/core';

/** Returns the paths of a sync without those below others. Throws `validation_error` for a path that leaves the source. */
export function requestedPaths(paths: readonly string[]): readonly string[] {
  const wrong = paths.find((path) => path.split('/').some(isSpecial));
  if (wrong !== undefined) {
    throw new TroveError('validation_error', `paths: ${wrong.slice(0, 200)} is not a path`, {
      suggestions: ['Write paths below the source: `reports/june.pdf`.'],
    });
  }
  const all = new Set(paths);
  return [...all].filter((path) => !isBelowAny(path, all));
}

function isSpecial(segment: string): boolean {
  return segment === '' || segment === '.' || segment === '..';
}

function isBelowAny(path: string, paths: ReadonlySet<string>): boolean {
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
    if (paths.has(path.slice(0, end))) return true;
  return false;
}
