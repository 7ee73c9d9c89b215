import { textOf } from '../json.js';
import type { PlannedStream } from '../plan.js';
import { endOf, flags } from './cut-page.js';
import { failureOf } from './failures.js';
import type { FakeAnswer, FakeRequest } from './fake-service.js';
import {
  absentAnswer,
  listAt,
  pathIn,
  routeOf,
  rulesOf,
  scopeIn,
  type FakeWorld,
  type FakeRoute,
} from './fake-world.js';
import { placeAll, readRequest, setAt } from './places.js';
import { markerOf } from './request-pattern.js';
import type { StoredItem } from './stored-items.js';

/** A part of the log: the last change of each item, and the position after it. */
interface LogPart {
  readonly items: readonly StoredItem[];
  readonly next: number;
  readonly isLast: boolean;
}

/** The requests of a change feed: its current token, and the changes since a token. */
export function feedRoutes(world: FakeWorld, stream: PlannedStream): readonly FakeRoute[] {
  const { name, description } = stream;
  const { incremental } = description;
  if (incremental?.by !== 'feed') return [];
  const start = routeOf(world, incremental.start, scopeIn(world, null), {
    stream: null,
    answer: () => ({
      json: setAt({}, incremental.start.token, tokenOf(world, world.items.log.length)),
    }),
  });
  const scope = scopeIn(world, null, { token: markerOf('token') });
  const changes = routeOf(world, incremental.changes, scope, {
    stream: name,
    answer: (request, { token }) => feedAnswer(world, stream, request, token),
  });
  return [...start, ...changes];
}

function feedAnswer(
  world: FakeWorld,
  { name, description }: PlannedStream,
  request: FakeRequest,
  token: string | undefined,
): FakeAnswer {
  const { incremental: feed, document } = description;
  if (feed?.by !== 'feed') return absentAnswer(world, description);
  const { page } = feed;
  const isPaged = typeof page === 'object' && page.by === 'cursor';
  if (page !== undefined && page !== 'none' && !isPaged)
    throw new Error(
      `The fake has no feed of \`${name}\` with this paging. Answer it in \`handle\`.`,
    );
  const sent = isPaged ? (textOf(readRequest(request, page.send)) ?? token) : token;
  const position = positionOf(world, sent);
  if (position === null)
    return failureOf('expired', [...(feed.errors ?? []), ...rulesOf(world, description)]);
  const streams = [name, ...(document?.tree === undefined ? [] : [document.tree.folders])];
  const size = isPaged ? world.pageSize : Number.POSITIVE_INFINITY;
  const { items, next, isLast } = partOf(world, streams, position, size);
  const changes = items.map((item) => changeOf(item, name, feed));
  const json = listAt(feed.items, changes, `the changes of \`${name}\``);
  return placeAll(
    { json },
    {
      ...(isPaged
        ? { ...flags(page, isLast), [page.from]: isLast ? endOf(page) : tokenOf(world, next) }
        : {}),
      ...(isLast ? { [feed.next]: tokenOf(world, next) } : {}),
    },
  );
}

function changeOf(
  { stream, value, id, isGone }: StoredItem,
  name: string,
  feed: Extract<NonNullable<PlannedStream['description']['incremental']>, { by: 'feed' }>,
): unknown {
  const isFolder = stream.name !== name;
  const [rawId] = Object.values(value).filter((member) => String(member) === id);
  const members: readonly (readonly [typeof feed.isGone, unknown])[] = [
    ...(feed.item === undefined || isGone ? [] : [[feed.item, value] as const]),
    [feed.id, rawId ?? id],
    [feed.isGone, isGone],
    [feed.isFolder, isFolder],
  ];
  return members.reduce<unknown>(
    (change, [path, part]) =>
      path === undefined ? change : setAt(change, pathIn(path, `a change of \`${name}\``), part),
    {},
  );
}

/** Answers a page of an export: what changed after the token of the last page, or since a time. */
export function logAnswer(
  world: FakeWorld,
  { name, description }: PlannedStream,
  request: FakeRequest,
  since: number | undefined,
): FakeAnswer {
  const { page, items } = description;
  if (typeof page !== 'object' || page.by !== 'cursor')
    throw new Error(`The export \`${name}\` needs the paging \`cursor\`.`);
  const sent = textOf(readRequest(request, page.send));
  const first = world.items.log.findIndex(({ changedAt }) => changedAt >= (since ?? 0));
  const position = sent === undefined ? Math.max(first, 0) : positionOf(world, sent);
  if (position === null) return failureOf('expired', rulesOf(world, description));
  const part = partOf(world, [name], position, world.pageSize);
  const list = part.items.map(({ value }) => value);
  return placeAll(
    { json: listAt(items, list, `the list of \`${name}\``) },
    { ...flags(page, part.isLast), [page.from]: tokenOf(world, part.next) },
  );
}

function partOf(
  { items: { log } }: FakeWorld,
  streams: readonly string[],
  position: number,
  size: number,
): LogPart {
  const found = new Set<StoredItem>();
  let next = position;
  for (; next < log.length && found.size < size; next++) {
    const item = log[next];
    if (item !== undefined && streams.includes(item.stream.name)) found.add(item);
  }
  const rest = log.slice(next);
  return {
    items: [...found],
    next,
    isLast: !rest.some(({ stream }) => streams.includes(stream.name)),
  };
}

function tokenOf({ tokenAge }: FakeWorld, position: number): string {
  return `t${tokenAge}-${position}`;
}

/** Returns the position of a token, or null if it has expired. */
function positionOf({ tokenAge }: FakeWorld, token: string | undefined): number | null {
  const [, age, position] = /^t(\d+)-(\d+)$/.exec(token ?? '') ?? [];
  return position === undefined || Number(age) !== tokenAge ? null : Number(position);
}
