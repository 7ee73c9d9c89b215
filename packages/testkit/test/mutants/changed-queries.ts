import type { IndexQuery } from '@trove/core/index';
import { mutated, type Open } from './mutated-index.js';

/** Changes the query of a search. */
export const asking = (change: (query: IndexQuery) => IndexQuery): (() => Open) =>
  mutated((good) => ({ search: (query) => good.search(change(query)) }));

/** Removes members, because optional members may not be undefined. */
export function without(query: IndexQuery, ...names: (keyof IndexQuery)[]): IndexQuery {
  return Object.fromEntries(
    Object.entries(query).filter(([name]) => !names.some((each) => each === name)),
  ) as unknown as IndexQuery;
}

/** Changes the URIs of a search. */
export const seeing = (change: (uris: readonly string[]) => readonly string[]): (() => Open) =>
  asking((query) => ({ ...query, ...(query.within && { within: change(query.within) }) }));
