import { relativePath, TroveError } from '@trove/core';
import type { ConnectorRecord, ConnectorRegistry } from '@trove/core/store';
import { hash } from '../ids.js';
import { uriOfPart, type SourcePart } from './source-finder.js';

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

/** Returns the parts below a canonical URI whose sources are not being removed. `s3://` contains all buckets. */
export function partsBelow<P extends SourcePart>(parts: readonly P[], uri: string): P[] {
  const folder = withoutSlash(uri);
  return parts.filter(
    (part) => part.record.status !== 'removing' && relativePath(folder, uriOfPart(part)) !== null,
  );
}

/** Returns the first names below a canonical URI on the way to parts of sources, with their URIs, by name. */
export function namesAbove(
  parts: readonly SourcePart[],
  uri: string,
): { readonly name: string; readonly uri: string }[] {
  const folder = withoutSlash(uri);
  const start = folder.length + 1;
  const uris = new Set(
    parts
      .map(uriOfPart)
      .map((below) => below.slice(0, start) + below.slice(start).split('/', 1)[0]),
  );
  return Array.from(uris, (each) => ({ name: relativePath(folder, each) ?? '', uri: each })).sort(
    (a, b) => (a.name < b.name ? -1 : 1),
  );
}

export function notRegisteredError(uri: string): TroveError {
  return new TroveError('not_found', `No registered source contains ${uri}`, {
    suggestions: ['Add the path or a folder that contains it. `status` lists the sources.'],
  });
}

/** A canonical URI ends in a slash only if it has neither an authority nor a path. */
function withoutSlash(uri: string): string {
  return uri.endsWith('/') ? uri.slice(0, -1) : uri;
}

/** Whether one of two canonical URIs contains the other. */
export function doOverlap(one: string, other: string): boolean {
  return relativePath(other, one) !== null || relativePath(one, other) !== null;
}

/** Returns an id that no source has. A source that moved away keeps the id of its first place. */
export async function freeIdOf(
  sources: Pick<ConnectorRegistry, 'get'>,
  id: string,
): Promise<string> {
  let free = id;
  for (let n = 1; (await sources.get(free)) !== null; n++) free = hash(id, String(n));
  return free;
}
