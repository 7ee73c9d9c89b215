import type { HttpService, RequestDescription } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

import { NextLinks } from '../graph/next-links.js';
import { skipUnreadable, type Drive } from './delta.js';
import { nameOf } from './drive-tree.js';

const maxSites = 5000;

/** The drives of a source, and the sites that could not be read. */
export interface DriveList {
  readonly drives: readonly Drive[];
  /** Sentences about sites that are left out, by their ids. */
  readonly skipped: ReadonlyMap<string, string>;
}

export type ListDrives = (signal: AbortSignal) => Promise<DriveList>;

interface Site {
  readonly id: string;
  readonly displayName?: string;
  readonly name?: string;
  readonly webUrl?: string;
  readonly isPersonalSite?: boolean;
}

interface Library {
  readonly id: string;
  readonly name: string;
}

/** Which sites and libraries a source has. */
export interface SiteSelection {
  readonly host: string;
  /** Paths of sites: `sites/Team`. Empty: all sites. */
  readonly sites: readonly string[];
  /** Whether the source is a single site, so paths begin with its libraries. */
  readonly isSingle: boolean;
  /** Names of libraries. Empty: all. */
  readonly libraries: readonly string[];
}

/** Lists the document libraries of the selected sites. */
export async function listLibraries(
  service: HttpService,
  selection: SiteSelection,
  signal: AbortSignal,
): Promise<DriveList> {
  const { isSingle, libraries: wanted } = selection;
  const skipped = new Map<string, string>();
  const drives: Drive[] = [];
  const folders = new Set<string>();
  for (const found of await findSites(service, selection, skipped, signal)) {
    const libraries = await listOf(service, librariesRequest(found.id), signal);
    if (typeof libraries === 'string') {
      skipped.set(found.id, libraries);
      continue;
    }
    const site = isSingle ? '' : siteFolder(found, folders);
    for (const { id, name } of usable(libraries, isLibrary)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const folder = distinct(
        [site, nameOf(name)].filter((part) => part !== '').join('/'),
        id,
        folders,
      );
      drives.push({ path: `/drives/${encodeURIComponent(id)}`, key: id, site: found.id, folder });
    }
  }
  return { drives, skipped };
}

function siteFolder(site: Site, folders: Set<string>): string {
  const last = addressOf(site)?.pathname.split('/').at(-1) ?? '';
  const name = last === '' ? (site.displayName ?? site.name ?? '') : decoded(last);
  return distinct(nameOf(name), site.id, folders);
}

/** Returns the address of a site, or null if it has no valid one. */
function addressOf({ webUrl }: Site): URL | null {
  return webUrl !== undefined && URL.canParse(webUrl) ? new URL(webUrl) : null;
}

/** Decodes a step of an address. One with a `%` that is no escape stays as it is. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Adds a part of an id to a name that another site or library has. */
function distinct(name: string, id: string, taken: Set<string>): string {
  const own = taken.has(name) ? `${name} ~${nameOf(id.slice(-6))}` : name;
  taken.add(own);
  return own;
}

/** Returns the sites of a source. Adds sentences about those that cannot be read. */
async function findSites(
  service: HttpService,
  { host, sites }: SiteSelection,
  skipped: Map<string, string>,
  signal: AbortSignal,
): Promise<readonly Site[]> {
  if (sites.length === 0) {
    const all = await listOf(service, allSites, signal);
    if (typeof all === 'string') throw new TroveError('connector_unhealthy', all);
    const own = usable(all, isSite).filter(({ isPersonalSite }) => isPersonalSite !== true);
    for (const { id, displayName = id } of own.filter((site) => addressOf(site) === null))
      skipped.set(id, `Microsoft Graph returned no address of the site "${displayName}".`);
    return own.filter((site) => addressOf(site)?.hostname === host);
  }
  const found: Site[] = [];
  for (const path of sites) {
    const reply = await service.send(siteRequest(host, path), { signal, errors: skipUnreadable });
    if ('none' in reply) skipped.set(path, reply.say);
    else found.push(...usable([reply.answer.body], isSite));
  }
  return found;
}

const siteFields = 'id,name,displayName,webUrl,isPersonalSite';

const allSites = { get: '/v1.0/sites', query: { search: '*', $select: siteFields } };

/** The request of a site by its path below the host: `sites/Team`. An empty path is the root site. */
export function siteRequest(host: string, path: string): RequestDescription {
  const steps = path.split('/').map(encodeURIComponent).join('/');
  return {
    get: () => (path === '' ? `/v1.0/sites/${host}` : `/v1.0/sites/${host}:/${steps}`),
    query: { $select: siteFields },
  };
}

function librariesRequest(site: string): RequestDescription {
  return { get: () => `/v1.0/sites/${site}/drives`, query: { $select: 'id,name' } };
}

/** Returns the items of all pages, or a sentence if the service does not show them. */
async function listOf(
  service: HttpService,
  request: RequestDescription,
  signal: AbortSignal,
): Promise<readonly unknown[] | string> {
  const items: unknown[] = [];
  const links = new NextLinks();
  for (let next: RequestDescription | null = request; next !== null;) {
    const reply = await service.send(next, { signal, errors: skipUnreadable });
    if ('none' in reply) return reply.say;
    const { value }: { readonly value?: unknown } = Object(reply.answer.body);
    if (!Array.isArray(value) || items.length > maxSites)
      throw new TroveError('connector_unhealthy', 'Microsoft Graph returned no list of sites', {
        retryable: !Array.isArray(value),
      });
    items.push(...value);
    next = links.after(reply.answer.body);
  }
  return items;
}

/** Returns the usable items of an answer. Throws if there are only others, because absent items would count as deleted. */
function usable<T>(
  items: readonly unknown[],
  isUsable: (item: unknown) => item is T,
): readonly T[] {
  const found = items.filter(isUsable);
  if (found.length > 0 || items.length === 0) return found;
  throw new TroveError('connector_unhealthy', 'Microsoft Graph returned no usable sites', {
    retryable: true,
    suggestions: [],
  });
}

function isSite(value: unknown): value is Site {
  return (
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
  );
}

function isLibrary(value: unknown): value is Library {
  return isSite(value) && typeof value.name === 'string';
}
