import { isTroveError, type Credentials } from '@trove/core';

import type {
  ErrorRule,
  HttpDescription,
  RequestDescription,
  Scope,
  StreamDescription,
  Value,
} from '../description/index.js';
import type { Plan, PlannedStream } from '../plan.js';
import { buildRequest, completeRequest } from '../request.js';
import { rootScope } from '../scope.js';
import { evaluate } from '../template.js';
import type { FakeAnswer, FakeRequest } from './fake-service.js';
import { failureOf } from './failures.js';
import { isPath, setAt } from './places.js';
import { markerOf, patternOf, type Captures, type RequestPattern } from './request-pattern.js';
import type { FakeItem, StoredItem, StoredItems } from './stored-items.js';

/** What the answers of a described fake are made of. */
export interface FakeWorld {
  readonly description: HttpDescription;
  readonly plan: Plan;
  readonly config: unknown;
  readonly target: string;
  /** The credentials that the service accepts now. */
  readonly credentials: Credentials;
  /** The base of the service as the connector sees it. */
  readonly base: string;
  readonly items: StoredItems;
  /** The values of look-ups by their names and ids. */
  readonly names: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  readonly pageSize: number;
  /** The answer to the check, the id of the root folder. */
  readonly checkBody: FakeItem;
  readonly rootFolder: string;
  /** Makes the answers of streams that cannot be derived. */
  readonly answers: Readonly<Record<string, StreamAnswer>>;
  /** How often the tokens of feeds and exports have expired. */
  readonly tokenAge: number;
}

/** Answers a listing of a stream. `items`: all items that the request is for, in their order. */
export type StreamAnswer = (
  request: FakeRequest,
  items: readonly unknown[],
) => FakeAnswer | Promise<FakeAnswer>;

/** A kind of request that the fake answers. */
export interface FakeRoute {
  /** The stream whose listing it is, or null. */
  readonly stream: string | null;
  readonly pattern: RequestPattern;
  answer(request: FakeRequest, captures: Captures): FakeAnswer | Promise<FakeAnswer>;
}

/** The scope of the requests for the children of an item, or of requests without a parent. */
export function scopeIn(world: FakeWorld, item: StoredItem | null, values: FakeItem = {}): Scope {
  const parents: Record<string, unknown> = {};
  for (let each = item; each !== null; each = each.parent) parents[each.stream.name] = each.value;
  return {
    ...rootScope(world.config, world.target),
    item: item?.value,
    parents,
    until: Date.now(),
    values: { since: undefined, until: markerOf('until'), ...values },
    lookup: (name, id) => Promise.resolve(nameIn(world, name, String(id))),
  };
}

/** Returns what a look-up has for an id. */
async function nameIn(world: FakeWorld, name: string, id: string): Promise<unknown> {
  const lookup = world.description.lookups?.[name];
  const found = world.names.get(name)?.get(id);
  return lookup === undefined ? undefined : evaluate(lookup.value, found, scopeIn(world, null));
}

/** Returns the route of a request, or none if a placeholder has no value. */
export function routeOf(
  world: FakeWorld,
  request: RequestDescription,
  scope: Scope,
  route: Omit<FakeRoute, 'pattern'>,
): readonly FakeRoute[] {
  try {
    const built = buildRequest(completeRequest(world.description, request), world.base, scope);
    return [{ ...route, pattern: patternOf(built) }];
  } catch (error) {
    if (isTroveError(error)) return [];
    throw error;
  }
}

/** The items that a stream is requested for. Null: it has no parent. */
export function contextsOf(
  { items }: FakeWorld,
  { description }: PlannedStream,
): readonly (StoredItem | null)[] {
  if (description.for === undefined) return [null];
  return items.all(description.for).filter((item) => !item.isGone);
}

export function rulesOf(
  { description }: FakeWorld,
  { errors = [] }: Pick<StreamDescription, 'errors'>,
): readonly ErrorRule[] {
  return [...errors, ...(description.errors ?? [])];
}

export function absentAnswer(world: FakeWorld, stream: Pick<StreamDescription, 'errors'>) {
  return failureOf('absent', rulesOf(world, stream));
}

/** Puts a list where a description reads it. */
export function listAt(items: Value | undefined, list: readonly unknown[], what: string): unknown {
  if (items === undefined || items === '.') return list;
  return setAt({}, pathIn(items, what), list);
}

/** Returns a path of the description. Throws if it is a function or has placeholders. */
export function pathIn(value: Value, what: string): string {
  if (isPath(value)) return value;
  throw new Error(
    `The fake cannot derive ${what} of a function. Give it in \`answers\` or \`handle\`.`,
  );
}
