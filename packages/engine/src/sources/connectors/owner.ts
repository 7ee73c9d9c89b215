import { relativePath } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';

/** The roots above a deeper path are not looked up one by one. */
const maxRoots = 64;

/** Returns all root URIs under which a URI can be. Null if there are too many. */
export function possibleRootsOf(uri: string): readonly string[] | null {
  const start = uri.indexOf('://') + '://'.length;
  const roots = [uri];
  for (let end = uri.lastIndexOf('/'); end >= start; end = uri.lastIndexOf('/', end - 1)) {
    if (roots.length === maxRoots) return null;
    roots.push(uri.slice(0, end));
  }
  return roots;
}

export function sourcesContaining(
  records: readonly ConnectorRecord[],
  uri: string,
): ConnectorRecord[] {
  return records.filter(({ rootUri }) => relativePath(rootUri, uri) !== null);
}

/** Returns the innermost source that contains a URI. */
export function ownerOf(records: readonly ConnectorRecord[], uri: string): ConnectorRecord | null {
  return sourcesContaining(records, uri).reduce<ConnectorRecord | null>(
    (best, record) =>
      best === null || record.rootUri.length > best.rootUri.length ? record : best,
    null,
  );
}
