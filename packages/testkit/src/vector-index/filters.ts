import type { Comparison, FieldValue, Filter, JsonScalar } from '@trove/core';
import type { IndexRow } from '@trove/core/index';
import { row } from './subject.js';

/** Returns a field's value as filters see it. */
export function fieldOf(of: IndexRow, field: string): FieldValue | undefined {
  const columns: Readonly<Record<string, FieldValue>> = {
    path: of.source,
    chunk_kind: of.kind,
    media_type: of.mediaType,
    modified_at: of.modifiedAt,
    title: of.title,
  };
  return Object.hasOwn(columns, field) ? columns[field] : of.fields[field];
}

const depths = ['author', 'year', 'flag', 'ratio'] as const;

/** Filters for the edge cases of the language: absence, other types, escapes, quotes. */
export const tellingFilters: readonly string[] = [
  'author = null',
  'not author = null',
  'author != "Ada"',
  'year > 1900',
  'year = "1843"',
  'year != 1843',
  'flag = true',
  'flag = "true"',
  'not (flag = true or year > 1900)',
  'author in ("Ada", null, 7)',
  'author like "A%"',
  String.raw`author like "100\\%"`,
  'author like "_da"',
  `author = "it's"`,
  `author = "' or 1=1 --"`,
  'title = null',
  'media_type = "text/plain" and modified_at >= 1000',
  'modified_at = "1970-01-01T00:00:01Z"',
  'path like "file://local/%1"',
  'chunk_kind in ("body", "summary")',
  'modified_at < -0.5',
  'ratio = 0.1',
  'ratio > 1e20',
  'author in ("Ada", "ada", "100%", "it\'s", 1843, true, null)',
  'not year in (1843, 1999, 0, -1, 0.1, 1e21)',
  `year in (${Array.from({ length: 1900 }, (_, n) => n + 1).join(',')})`,
  // The maximum depth and length of a filter.
  Array.from({ length: 6 }).reduce<string>(
    (inner, _, n) => `(${inner}) ${n % 2 === 0 ? 'and not' : 'or'} ${depths[n % 4]} = ${n}`,
    'not (author > "B" or year > 1 and ratio < 3 or address.city like "%")',
  ),
];

const values: readonly JsonScalar[] = [
  'Ada',
  'ada',
  '',
  "it's",
  "' or 1=1 --",
  '100%',
  '1843',
  'true',
  'null',
  'back\\slash',
  '"quoted"',
  'ünï',
  1843,
  1999,
  0,
  -1,
  0.1,
  1e21,
  true,
  false,
  null,
];
/** Lists as field values. */
const lists: readonly FieldValue[] = [
  ['Ada', "it's"],
  ['ada', 'Ada', '100%'],
  [1843, 'true', true],
  [0.1, false],
  ['back\\slash'],
];
const fields = ['author', 'year', 'flag', 'ratio', "odd 'key", 'address.city', '0'];
const columns = ['path', 'chunk_kind', 'media_type', 'modified_at', 'title'];

/** Returns rows with values of every type, or none, in every field. */
export function sampleRows(): IndexRow[] {
  const next = random(1);
  return Array.from({ length: 40 }, (_, at) =>
    row(`r${at}`, `group ${at % 9}`, {
      ordinal: at,
      source: `file://local/${at % 9}`,
      kind: pick(next, ['body', 'summary', 'row_text']),
      title: pick(next, [null, 'Ada', "it's", '']),
      mediaType: pick(next, [null, 'text/plain', 'text/html']),
      modifiedAt: pick(next, [null, 0, -1, 1000, 1843]),
      fields: Object.fromEntries(
        fields
          .filter(() => next() < 0.6)
          .map((field) => [field, pick(next, [...values, ...lists])]),
      ),
    }),
  );
}

/** Returns the same filters of every shape each time. */
export function randomFilters(): Filter[] {
  const next = random(2);
  return Array.from({ length: 150 }, () => randomFilter(next, 2));
}

function randomFilter(next: () => number, depth: number): Filter {
  const field = pick(next, [...fields, ...columns]);
  const shape = Math.floor(next() * (depth > 0 ? 6 : 3));
  const parts = (): Filter[] =>
    Array.from({ length: Math.floor(next() * 3) }, () => randomFilter(next, depth - 1));
  switch (shape) {
    case 0:
      return { op: 'in', field, values: [pick(next, values), pick(next, values)] };
    case 1:
      return { op: 'like', field, pattern: pick(next, patterns) };
    case 3:
      return { op: 'and', filters: parts() };
    case 4:
      return { op: 'or', filters: parts() };
    case 5:
      return { op: 'not', filter: randomFilter(next, depth - 1) };
    default:
      return {
        op: 'compare',
        field,
        comparison: pick(next, comparisons),
        value: pick(next, values),
      };
  }
}

const comparisons: readonly Comparison[] = ['=', '!=', '<', '<=', '>', '>='];
const patterns = [
  '%',
  '_da',
  'A%',
  '%a%',
  "it's",
  '100\\%',
  '100%',
  'back\\\\%',
  '\\A%',
  '%\\',
  '',
];

function pick<T>(next: () => number, from: readonly [T, ...T[]] | readonly T[]): T {
  const found = from[Math.floor(next() * from.length)];
  if (found === undefined) throw new Error('Nothing to pick from');
  return found;
}

/** A linear congruential generator with the same numbers each time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
