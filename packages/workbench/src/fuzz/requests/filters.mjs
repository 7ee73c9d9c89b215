import * as fc from 'fast-check';

const textFields = ['path', 'media_type', 'chunk_kind'];
const dates = ['2020-01-01', '2031-12-31', '2026-02-03T04:05:06Z'];
const comparisons = ['=', '==', '!=', '<', '<=', '>', '>='];

const words = fc.constantFrom('fox', 'text/markdown', 'body', '%/notes/%', 'é', "it's");
const quoted = words.map((word) => `"${word}"`);
const comparison = fc.constantFrom(...comparisons);

const condition = fc.oneof(
  fc.tuple(fc.constantFrom(...textFields), comparison, quoted).map((parts) => parts.join(' ')),
  fc
    .tuple(comparison, fc.constantFrom(...dates))
    .map(([sign, date]) => `modified_at ${sign} "${date}"`),
  fc
    .tuple(
      fc.constantFrom(...textFields),
      fc.constantFrom('in', 'not in'),
      fc.array(quoted, { minLength: 1, maxLength: 4 }),
    )
    .map(([field, operator, values]) => `${field} ${operator} (${values.join(', ')})`),
  fc
    .tuple(fc.constantFrom(...textFields), fc.constantFrom('like', 'not like'), quoted)
    .map((parts) => parts.join(' ')),
);

const nested = fc.letrec((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    condition,
    fc
      .tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter'))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    tie('filter').map((inner) => `not (${inner})`),
  ),
})).filter;

const maxRanges = 4;
const ranges = / like | [<>]=? /g;

/** Realistic filters: a few conditions, few of them ranges, at most three levels deep. */
export const filters = nested.filter((text) => (text.match(ranges) ?? []).length <= maxRanges);

const small = 'path = "x"';
const many = (count, join) => Array.from({ length: count }, () => 'path="x"').join(join);

/** Filters that stress the parser and evaluation: deep, long, foreign and truncated. */
export const hostileFilters = fc.oneof(
  fc.integer({ min: 1, max: 3000 }).map((depth) => '('.repeat(depth) + small + ')'.repeat(depth)),
  fc.integer({ min: 1, max: 2200 }).map((depth) => `${'not '.repeat(depth)}${small}`),
  fc
    .integer({ min: 1, max: 60 })
    .map((depth) => `${'not ('.repeat(depth)}${small}${')'.repeat(depth)}`),
  fc
    .tuple(fc.integer({ min: 1, max: 800 }), fc.constantFrom(' or ', ' and '))
    .map(([n, sign]) => many(n, sign)),
  fc
    .integer({ min: 1, max: 60 })
    .map((depth) => `${'(path="x" or '.repeat(depth)}${small}${')'.repeat(depth)}`),
  fc
    .integer({ min: 1, max: 3000 })
    .map((count) => `path in (${Array(count).fill('"x"').join(',')})`),
  fc.integer({ min: 1, max: 4000 }).map((count) => `path like "${'%a'.repeat(count)}"`),
  fc.integer({ min: 1, max: 4000 }).map((count) => `path like "${'_'.repeat(count)}%"`),
  fc.constantFrom(
    '1 = 1',
    "path = 'x' --",
    "path = 'x'; DROP TABLE chunks",
    'path = "\\u0000"',
    'path = "\\ud800"',
    'constructor = 1',
    '__proto__ = 1',
    'metadata.fields.__proto__ = 1',
    'fields.`a b`.c = null',
    '`path` = null',
    'path = 1e999',
    'path < true',
    'modified_at = 1e308',
    'modified_at > "0000-00-00"',
    'modified_at < "275760-09-13"',
    'modified_at = -9007199254740993',
    'path like "\\\\"',
    'path like "%"',
    'path in ()',
    'path = "',
    'path ==== "x"',
    'author = 3',
    'year > 1',
    'vector = "x"',
    'id = "x"',
    'content like "%fox%"',
  ),
  fc
    .tuple(filters, fc.nat(), fc.string({ unit: 'binary', maxLength: 5 }))
    .map(([filter, at, text]) => {
      const place = at % (filter.length + 1);
      return filter.slice(0, place) + text + filter.slice(place + 1);
    }),
);
