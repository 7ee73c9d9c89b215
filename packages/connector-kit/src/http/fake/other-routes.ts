import { isPath, placeAll, setAt } from './places.js';
import { isAddressed, mergeRequests } from '../request.js';
import type { PlannedStream } from '../plan.js';
import type { Lookup } from '../description/index.js';
import { cutPage } from './cut-page.js';
import type { FakeAnswer, FakeRequest } from './fake-service.js';
import {
  absentAnswer,
  listAt,
  routeOf,
  scopeIn,
  type FakeWorld,
  type FakeRoute,
} from './fake-world.js';
import { markerOf } from './request-pattern.js';
import type { StoredItem } from './stored-items.js';

/** The requests for the contents of documents and for the root of their folders. */
export function documentRoutes(world: FakeWorld, stream: PlannedStream): readonly FakeRoute[] {
  const { name, description } = stream;
  const { read, document } = description;
  const top = document?.tree?.top;
  const roots =
    top === undefined
      ? []
      : routeOf(world, top, scopeIn(world, null), {
          stream: null,
          answer: () => ({ json: setAt({}, top.id, world.rootFolder) }),
        });
  if (read === undefined || read.inItem === true) return roots;
  const requests = [
    read,
    ...Object.values(read.exports ?? {}).flatMap((exported) =>
      isAddressed(exported) ? mergeRequests(read, exported) : [],
    ),
  ].filter(isAddressed);
  const contents = world.items
    .all(name)
    .filter((item) => !item.isGone)
    .flatMap((item) =>
      requests.flatMap((request) =>
        routeOf(world, request, scopeIn(world, item), {
          stream: null,
          answer: ({ headers }) => contentAnswer(item, headers['range']),
        }),
      ),
    );
  return [...roots, ...contents];
}

function contentAnswer(
  { stream, value, content, mediaType }: StoredItem,
  range?: string,
): FakeAnswer {
  const { read } = stream.description;
  if (read?.text !== undefined) {
    if (content === undefined) return { json: value };
    if (isPath(read.text))
      return { json: setAt(value, read.text, Buffer.from(content).toString()) };
    throw new Error(
      'The fake cannot derive `read.text` of a function. Put the text into the item.',
    );
  }
  const body = content ?? new Uint8Array(0);
  const headers = { 'content-type': mediaType ?? 'text/plain' };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (read?.ranges !== true || from === undefined) return { body, headers };
  const end = to === '' || to === undefined ? body.length : Number(to) + 1;
  const part = body.subarray(Number(from), end);
  const stated = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`;
  return { status: 206, body: part, headers: { ...headers, 'content-range': stated } };
}

/** The requests of look-ups: one for each id, or a list. */
export function lookupRoutes(world: FakeWorld): readonly FakeRoute[] {
  return Object.entries(world.description.lookups ?? {}).flatMap(([name, lookup]) => {
    const values = { id: markerOf('id'), ids: [markerOf('ids')], given: givenMarkers(lookup) };
    const scope = scopeIn(world, null, values);
    return routeOf(world, lookup, scope, {
      stream: null,
      answer: (request, { id }) => lookupAnswer(world, name, lookup, request, id),
    });
  });
}

/** Returns markers for the values that callers give with the ids of a look-up. */
function givenMarkers(lookup: Lookup): Readonly<Record<string, string>> {
  const names = JSON.stringify(lookup).matchAll(/\{\+?given\.(\w+)\}/g);
  return Object.fromEntries(Array.from(names, ([, name = '']) => [name, markerOf(name)]));
}

function lookupAnswer(
  world: FakeWorld,
  name: string,
  lookup: Lookup,
  request: FakeRequest,
  id: string | undefined,
): FakeAnswer {
  const names = world.names.get(name) ?? new Map<string, unknown>();
  if (lookup.items === undefined) {
    const json = names.get(id ?? '');
    return json === undefined ? absentAnswer(world, lookup) : { json };
  }
  const list = [...names].map(([key, json]) => setAt(json, lookup.key ?? 'id', key));
  const size = { size: world.pageSize, base: world.base };
  const cut = cutPage(lookup.page, list, request, size);
  if (cut === null) return absentAnswer(world, lookup);
  return placeAll({ json: listAt(lookup.items, cut.items, `the look-up \`${name}\``) }, cut.places);
}

/** The request that proves the login. */
export function checkRoutes(world: FakeWorld): readonly FakeRoute[] {
  const { check } = world.description;
  const { from, needs } = check.scopes ?? { from: '', needs: [] };
  const scopes = from.startsWith('header.') ? needs.join(', ') : needs;
  return routeOf(world, check, scopeIn(world, null), {
    stream: null,
    answer: () => placeAll({ json: world.checkBody }, from === '' ? {} : { [from]: scopes }),
  });
}
