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
    for (const { id, name } of libraries.filter(isLibrary)) {
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
  const last = new URL(site.webUrl ?? 'https://none').pathname.split('/').at(-1) ?? '';
  const name = last === '' ? (site.displayName ?? site.name ?? '') : decodeURIComponent(last);
  return distinct(nameOf(name), site.id, folders);
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
    return all.filter(isSite).filter((site) => isOf(site, host));
  }
  const found: Site[] = [];
  for (const path of sites) {
    const reply = await service.send(siteRequest(host, path), { signal, errors: skipUnreadable });
    if ('none' in reply) skipped.set(path, reply.say);
    else if (isSite(reply.answer.body)) found.push(reply.answer.body);
  }
  return found;
}

function isOf({ webUrl, isPersonalSite }: Site, host: string): boolean {
  return isPersonalSite !== true && webUrl !== undefined && new URL(webUrl).hostname === host;
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

function isSite(value: unknown): value is Site {
  return (
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
  );
}

function isLibrary(value: unknown): value is Library {
  return isSite(value) && typeof value.name === 'string';
}
