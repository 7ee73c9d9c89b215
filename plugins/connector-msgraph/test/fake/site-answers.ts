import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { failureOf, itemNotFound } from './problems.js';
import { host, type FakeSite, type GraphWorld } from './world.js';

const pageSize = 2;

/** Answers requests for sites and their libraries. */
export function siteAnswer(world: GraphWorld, { path, query, origin }: FakeRequest): FakeAnswer {
  if (path === '/v1.0/sites') return searchAnswer(world, query, origin);
  const [, address = '', part = ''] = /^\/v1\.0\/sites\/(.+?)(\/drives)?$/.exec(path) ?? [];
  const site = siteOf(world, decodeURIComponent(address));
  if (site === undefined) return itemNotFound();
  if (site.failure !== null) return failureOf(site.failure);
  if (part === '') return { json: siteForm(site) };
  const value = [...world.drives.values()]
    .filter(({ siteId }) => siteId === site.id)
    .map(({ id, name }) => ({ id, name }));
  return { json: { value } };
}

/** `HOST`, `HOST:/sites/Team` or an id. */
function siteOf(world: GraphWorld, address: string): FakeSite | undefined {
  if (address === host) return world.siteAt('');
  if (address.startsWith(`${host}:/`)) return world.siteAt(address.slice(host.length + 2));
  return world.sites.get(address);
}

/** The search pages, and it finds no site that its index does not have yet. */
function searchAnswer(world: GraphWorld, query: URLSearchParams, origin: string): FakeAnswer {
  const found = [...world.sites.values()].filter(({ isFound }) => isFound);
  const start = Number(query.get('$skiptoken') ?? 0);
  const next = start + pageSize;
  return {
    json: {
      value: found.slice(start, next).map(siteForm),
      ...(next < found.length
        ? { '@odata.nextLink': `${origin}/v1.0/sites?search=*&$skiptoken=${next}` }
        : {}),
    },
  };
}

function siteForm({ id, path, displayName }: FakeSite) {
  return { id, name: path.split('/').at(-1), displayName, webUrl: `https://${host}/${path}` };
}
