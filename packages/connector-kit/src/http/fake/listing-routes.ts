import { textOf, valueAt } from '../json.js';
import { defaultItems } from '../paging.js';
import { keyPaths, type PlannedStream } from '../plan.js';
import { mergeRequests } from '../request.js';
import { evaluate } from '../template.js';
import { timeOf } from '../times.js';
import type { Paging, RequestDescription, Value } from '../description/index.js';
import { cutPage } from './cut-page.js';
import { failureOf } from './failures.js';
import type { FakeAnswer, FakeRequest } from './fake-service.js';
import {
  absentAnswer,
  contextsOf,
  listAt,
  routeOf,
  rulesOf,
  scopeIn,
  type FakeWorld,
  type FakeRoute,
} from './fake-world.js';
import { logAnswer } from './change-log.js';
import { isPath, placeAll, setAt } from './places.js';
import { markerOf } from './request-pattern.js';
import { timeOfItem, type FakeItem, type StoredItem } from './stored-items.js';

/** The requests for the lists of a stream: all items, changed ones, deleted ones, those with a text. */
export function listingRoutes(world: FakeWorld, stream: PlannedStream): readonly FakeRoute[] {
  return contextsOf(world, stream).flatMap((parent) => [
    ...plainRoutes(world, stream, parent),
    ...goneRoutes(world, stream, parent),
    ...grepRoutes(world, stream, parent),
  ]);
}

function plainRoutes(
  world: FakeWorld,
  stream: PlannedStream,
  parent: StoredItem | null,
): readonly FakeRoute[] {
  const { name, description } = stream;
  const { incremental, page, items } = description;
  const list = (
    request: FakeRequest,
    since: number | undefined,
  ): FakeAnswer | Promise<FakeAnswer> => {
    if (incremental?.by === 'export') return logAnswer(world, stream, request, since);
    const found = itemsOf(world, stream, parent, since);
    return pageAnswer(world, stream, { page, items }, found, request);
  };
  const plain = routeOf(world, description, scopeIn(world, parent), {
    stream: name,
    answer: (request) => list(request, undefined),
  });
  if (incremental === undefined || incremental.by === 'feed') return plain;
  const sent = mergeRequests(description, incremental.send);
  const changed = routeOf(world, sent, scopeIn(world, parent, { since: markerOf('since') }), {
    stream: name,
    answer: (request, { since }) => list(request, since === undefined ? 0 : (timeOf(since) ?? 0)),
  });
  return [...plain, ...changed];
}

function goneRoutes(
  world: FakeWorld,
  stream: PlannedStream,
  parent: StoredItem | null,
): readonly FakeRoute[] {
  const { name, description } = stream;
  const { gone } = description;
  if (gone === undefined) return [];
  const scope = scopeIn(world, parent, { since: markerOf('since') });
  return routeOf(world, gone, scope, {
    stream: name,
    answer: (request, { since }) => {
      const begin = since === undefined ? 0 : (timeOf(since) ?? 0);
      const found = world.items
        .all(name)
        .filter((item) => item.isGone && item.parent === parent && item.changedAt >= begin);
      const sorted =
        gone.time === undefined ? found : found.toSorted((a, b) => b.changedAt - a.changedAt);
      const own = { page: gone.page ?? description.page, items: gone.items ?? description.items };
      const shown = sorted.map((item) => goneItem(stream, item));
      return pageAnswer(world, stream, own, shown, request);
    },
  });
}

/** Shows nothing but the key of a deleted item, and the time of its deletion. */
function goneItem({ description }: PlannedStream, { value, changedAt }: StoredItem): unknown {
  const { key, gone, document } = description;
  const own = new Map(keyPaths(key));
  const named = keyPaths(gone?.key ?? key).map(
    ([name, path]) => [path, valueAt(value, own.get(name) ?? path)] as const,
  );
  const identity = document?.identity;
  const time = gone?.time;
  const all = [
    ...named,
    ...(isPath(identity) ? [[identity, valueAt(value, identity)] as const] : []),
    ...(isPath(time) ? [[time, new Date(changedAt).toISOString()] as const] : []),
  ];
  return all.reduce<unknown>((shown, [path, part]) => setAt(shown, path, part), {});
}

function grepRoutes(
  world: FakeWorld,
  stream: PlannedStream,
  parent: StoredItem | null,
): readonly FakeRoute[] {
  const { name, description } = stream;
  const { grep } = description;
  if (grep === undefined) return [];
  const scope = scopeIn(world, parent, { pattern: markerOf('pattern') });
  return routeOf(world, mergeRequests(description, grep), scope, {
    stream: name,
    answer: (request, { pattern = '' }) => {
      const found = itemsOf(world, stream, parent, undefined).filter((item) =>
        JSON.stringify(item)
          .toLowerCase()
          .includes(JSON.stringify(pattern).slice(1, -1).toLowerCase()),
      );
      const own = { page: description.page, items: grep.items ?? description.items };
      return pageAnswer(world, stream, own, found, request);
    },
  });
}

/** The requests for one item, and for one thread of an object. */
export function partRoutes(world: FakeWorld, stream: PlannedStream): readonly FakeRoute[] {
  return [...oneRoutes(world, stream), ...threadRoutes(world, stream)];
}

function oneRoutes(world: FakeWorld, stream: PlannedStream): readonly FakeRoute[] {
  const { name, description, keyStream } = stream;
  const { one, key, document } = description;
  if (one === undefined) return [];
  const fields = keyPaths(key);
  const markers = fields.map(([field]) => [field, markerOf(`key.${field}`)] as const);
  const identity = isPath(document?.identity) ? document.identity : 'id';
  return contextsOf(world, stream).flatMap((parent) => {
    const scope = scopeIn(world, parent, {
      key: { stream: keyStream, id: markerOf('key.id'), ...Object.fromEntries(markers) },
      identity: markerOf('identity'),
    });
    return routeOf(world, one, scope, {
      stream: null,
      answer: (_request, captures) => {
        const isWanted = ({ value }: StoredItem): boolean =>
          [...fields, ['id', identity] as const].every(([field, path]) => {
            const text =
              captures[`key.${field}`] ?? (path === identity ? captures['identity'] : undefined);
            return text === undefined || textOf(valueAt(value, path)) === text;
          });
        const found = world.items
          .all(name)
          .find((item) => !item.isGone && item.parent === parent && isWanted(item));
        if (found === undefined) return absentAnswer(world, description);
        const json = one.item === undefined ? found.value : oneAt(one.item, found.value);
        return { json };
      },
    });
  });
}

function oneAt(item: Value, value: FakeItem): unknown {
  if (isPath(item)) return setAt({}, item, value);
  throw new Error(
    'The fake cannot derive `one.item` of a function. Answer the request in `handle`.',
  );
}

function threadRoutes(world: FakeWorld, stream: PlannedStream): readonly FakeRoute[] {
  const { name, description, object } = stream;
  const { ofThread, sameAs, page } = description;
  if (ofThread === undefined || object === null) return [];
  const outer = object.description.for;
  const objects =
    outer === undefined ? [null] : world.items.all(outer).filter((item) => !item.isGone);
  const request: RequestDescription = mergeRequests(description, ofThread);
  return objects.flatMap((parent) =>
    routeOf(world, request, scopeIn(world, parent, { thread: markerOf('thread') }), {
      stream: name,
      answer: async (received, { thread }) => {
        const candidates = [
          ...(sameAs === undefined ? [] : world.items.all(sameAs)),
          ...world.items.all(name),
        ];
        const found: unknown[] = [];
        for (const item of candidates)
          if (!item.isGone && isIn(item, parent) && (await threadOf(world, item)) === thread)
            found.push(item.value);
        if (found.length === 0) return absentAnswer(world, description);
        const own = { page, items: ofThread.items ?? description.items };
        return pageAnswer(world, stream, own, found, received);
      },
    }),
  );
}

async function threadOf(world: FakeWorld, item: StoredItem): Promise<string | undefined> {
  const { record } = item.stream.description;
  const scope = { ...scopeIn(world, item.parent), item: item.value };
  if (typeof record === 'function') return textOf((await record(item.value, scope)).thread);
  if (record?.thread === undefined) return undefined;
  return textOf(await evaluate(record.thread, item.value, scope));
}

function isIn(item: StoredItem, ancestor: StoredItem | null): boolean {
  if (ancestor === null) return true;
  for (let each: StoredItem | null = item; each !== null; each = each.parent)
    if (each === ancestor) return true;
  return false;
}

/** Returns the items of a listing in the order of the service. `since`: only those that changed since then. */
function itemsOf(
  world: FakeWorld,
  { name, description }: PlannedStream,
  parent: StoredItem | null,
  since: number | undefined,
): readonly unknown[] {
  const { incremental, isGone, sameAs } = description;
  const showsGone = since !== undefined && isPath(isGone);
  const found = world.items
    .all(name)
    .filter((item) => item.parent === parent && (!item.isGone || showsGone))
    .filter((item) => since === undefined || isTimeless(incremental) || timeOfItem(item) >= since);
  const ordered = orderOf(found, incremental);
  const values = ordered.map(({ value }) => value);
  return sameAs !== undefined && sameAs === parent?.stream.name
    ? [parent.value, ...values]
    : values;
}

/** A newest-first listing has all items. The connector stops at the first old one. */
function isTimeless(incremental: PlannedStream['description']['incremental']): boolean {
  return incremental?.by === 'newest-first';
}

function orderOf(
  items: readonly StoredItem[],
  incremental: PlannedStream['description']['incremental'],
): readonly StoredItem[] {
  const isNewestFirst =
    incremental?.by === 'newest-first' ||
    (incremental?.by === 'window' && incremental.order === 'newest-first');
  if (isNewestFirst) return items.toSorted((a, b) => timeOfItem(b) - timeOfItem(a));
  if (incremental?.by === 'window' && incremental.order === 'oldest-first')
    return items.toSorted((a, b) => timeOfItem(a) - timeOfItem(b));
  return items;
}

/** Answers with one page of a list. */
function pageAnswer(
  world: FakeWorld,
  { name, description }: PlannedStream,
  {
    page,
    items = defaultItems(page),
  }: { readonly page: Paging | undefined; readonly items: Value | undefined },
  list: readonly unknown[],
  request: FakeRequest,
): FakeAnswer | Promise<FakeAnswer> {
  const own = Object.hasOwn(world.answers, name) ? world.answers[name] : undefined;
  if (own !== undefined) return own(request, list);
  if (typeof page === 'function')
    throw new Error(`The fake cannot derive the paging of \`${name}\`. Give it in \`answers\`.`);
  const cut = cutPage(page, list, request, { size: world.pageSize, base: world.base });
  if (cut === null) return failureOf('expired', rulesOf(world, description));
  // A list that is the whole body leaves no room for the token of a next page.
  if (isWholeBody(items) && Object.keys(cut.places).some((place) => !place.startsWith('header.')))
    return { json: list };
  return placeAll({ json: listAt(items, cut.items, `the list of \`${name}\``) }, cut.places);
}

function isWholeBody(items: Value): boolean {
  return items === '.';
}
