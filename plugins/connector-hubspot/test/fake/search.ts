import type { FakeAnswer } from '@trove/connector-kit/http/fake';
import { allProperties, objectForm } from './forms.js';
import { invalid } from './problems.js';
import type { HubspotWorld, Stored } from './world.js';

const maxLimit = 200;

interface Filter {
  readonly propertyName: string;
  readonly operator: string;
  readonly value: string;
}

interface SearchBody {
  readonly filterGroups?: readonly { readonly filters: readonly Filter[] }[];
  readonly sorts?: readonly { readonly propertyName: string; readonly direction: string }[];
  readonly properties?: readonly string[];
  readonly limit?: number;
  readonly after?: string;
}

/** Searches the records of a kind. One search shows 10,000 results at most. */
export function searchAnswer(world: HubspotWorld, kind: string, body: unknown): FakeAnswer {
  const {
    filterGroups = [],
    sorts = [],
    properties = [],
    limit = 10,
    after,
  }: SearchBody = Object(body);
  if (limit < 1 || limit > maxLimit)
    return invalid(`limit must be between 1 and ${maxLimit}, not ${limit}`);
  const start = Number(after ?? 0);
  if (start + limit > world.maxResults)
    return invalid(`Paging through more than ${world.maxResults} results is not supported`);
  const unknown = filterGroups
    .flatMap(({ filters }) => filters)
    .find(({ operator }) => !['EQ', 'GT', 'GTE'].includes(operator));
  if (unknown !== undefined) return invalid(`The operator ${unknown.operator} is not supported`);
  const found = world
    .indexed(kind)
    .filter((stored) =>
      filterGroups.some(({ filters }) => filters.every((filter) => matches(stored, filter))),
    )
    .toSorted((a, b) => compare(a, b, sorts[0]?.propertyName ?? 'createdate'));
  const size = Math.min(limit, world.searchSize);
  const page = found.slice(start, start + size);
  const next = start + page.length;
  return {
    json: {
      total: found.length,
      results: page.map((stored) => objectForm(stored, properties)),
      ...(next < found.length ? { paging: { next: { after: String(next) } } } : {}),
    },
  };
}

function matches(stored: Stored, { propertyName: name, operator, value }: Filter): boolean {
  const own = allProperties(stored)[name] ?? null;
  if (own === null) return false;
  if (operator === 'EQ') return own === value;
  return operator === 'GT' ? numberOf(own) > numberOf(value) : numberOf(own) >= numberOf(value);
}

function compare(a: Stored, b: Stored, name: string): number {
  return (
    numberOf(allProperties(a)[name] ?? '') - numberOf(allProperties(b)[name] ?? '') ||
    Number(a.id) - Number(b.id)
  );
}

/** Times are compared as milliseconds. */
function numberOf(value: string): number {
  return /^\d+$/.test(value) ? Number(value) : Date.parse(value);
}
