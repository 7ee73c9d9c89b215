import type { DavResource } from './multistatus.js';
import { decodeName, isSameSegment, segmentsOf } from './paths.js';

/** A member of a collection. */
export interface DavMember {
  readonly name: string;
  /** The reason why the member cannot be read, or null. */
  readonly problem: string | null;
  readonly resource: DavResource;
}

/** A collection or a file, as the server describes it. */
export interface DavListing {
  /** The described resource; null if the server describes only its members. */
  readonly self: DavResource | null;
  readonly members: readonly DavMember[];
}

interface LocatedResource {
  readonly resource: DavResource;
  readonly segments: readonly string[];
}

/**
 * Separates the described resource from its members. A server behind a proxy may know its own addresses by another prefix,
 * so the shortest address is the resource itself if none matches the request. Ignores all other addresses.
 */
export function listingOf(resources: readonly DavResource[], requestUrl: string): DavListing {
  const located = resources.flatMap((resource): LocatedResource[] => {
    const segments = segmentsOf(resource.href, requestUrl);
    return segments === null ? [] : [{ resource, segments }];
  });
  const requested = segmentsOf(requestUrl, requestUrl) ?? [];
  const isBelow = ({ segments }: LocatedResource): boolean =>
    segments.length === requested.length + 1 && isSamePath(segments.slice(0, -1), requested);
  const own =
    located.find(({ segments }) => isSamePath(segments, requested)) ??
    (located.every(isBelow) ? undefined : shortestOf(located));
  const base = own?.segments ?? requested;
  const members = new Map<string, DavMember>();
  for (const { resource, segments } of located) {
    const [last] = segments.slice(base.length);
    if (last === undefined || segments.length !== base.length + 1) continue;
    if (!isSamePath(segments.slice(0, -1), base)) continue;
    const { name, problem } = decodeName(last);
    members.set(name, { name, problem, resource });
  }
  return { self: own?.resource ?? null, members: [...members.values()] };
}

function isSamePath(segments: readonly string[], others: readonly string[]): boolean {
  return (
    segments.length === others.length &&
    segments.every((segment, at) => isSameSegment(segment, others[at] ?? ''))
  );
}

function shortestOf(located: readonly LocatedResource[]): LocatedResource | undefined {
  const [first, ...others] = located;
  if (first === undefined) return undefined;
  return others.reduce(
    (shortest, each) => (each.segments.length < shortest.segments.length ? each : shortest),
    first,
  );
}
