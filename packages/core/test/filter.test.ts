import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { assertCheap } from '@trove/test-support/waiting.js';
import {
  isTroveError,
  matchesFilter,
  parseFilter,
  type Filter,
  type JsonScalar,
} from '../src/index.js';

const test = suite('filter');

const hit: Readonly<Record<string, JsonScalar>> = {
  author: 'Ada',
  year: 1843,
  draft: false,
  note: null,
  path: 'file://local/notes/engine.md',
  modified_at: Date.UTC(2026, 0, 15),
  'first name': 'Ada',
  'address.city': 'London',
  and: 1,
};

function holds(text: string, fields = hit): boolean {
  return matchesFilter(parseFilter(text), (field) => fields[field]);
}

/** Returns the error of a filter that must be rejected. */
function refused(text: string): { message: string; suggestions: readonly string[] } {
  try {
    parseFilter(text);
  } catch (error) {
    assert.ok(isTroveError(error), String(error));
    assert.is(error.code, 'validation_error');
    return error;
  }
  throw new Error(`accepted: ${text}`);
}

test('compares values of one type', () => {
  for (const text of [
    'author = "Ada"',
    "author == 'Ada'",
    'author != "Bob"',
    'year = 1843',
    'year < 1844',
    'year <= 1843.0',
    'year > -1',
    'year >= 1.843e3',
    'author < "Bob"',
    'author >= "Ada"',
    'draft = false',
    'draft != true',
  ]) {
    assert.is(holds(text), true, text);
    assert.is(holds(`not (${text})`), false, `not ${text}`);
  }
});

test('accepts the syntax of Milvus', () => {
  for (const [text, same] of [
    ['author in ["Ada", \'Bob\']', 'author in ("Ada", "Bob")'],
    ['author not in [ "Bob" ]', 'author not in ("Bob")'],
    ['year == 1843 && author == "Ada"', 'year = 1843 and author = "Ada"'],
    ['year < 1 || !(draft == true)', 'year < 1 or not (draft = true)'],
    ['metadata["author"] == "Ada"', 'author = "Ada"'],
    ["metadata['address']['city'] in ['London']", 'address.city in ("London")'],
    ['metadata["first name"] like "A%"', '`first name` like "A%"'],
    ['metadata["and"] == 1', '`and` = 1'],
  ] as const) {
    assert.equal(parseFilter(text), parseFilter(same), text);
    assert.is(holds(text), true, text);
  }
});

test('a value of another type is not equal, less or greater', () => {
  for (const text of [
    'year = "1843"',
    'author = 1',
    'draft = 0',
    'draft < true',
    'author > 1',
    'year >= "1"',
    'note < 1',
  ]) {
    assert.is(holds(text), false, text);
  }
  assert.is(holds('year != "1843"'), true);
});

test('an absent field is null', () => {
  assert.is(holds('missing = null'), true);
  assert.is(holds('note = null'), true);
  assert.is(holds('missing != null'), false);
  assert.is(holds('author != null'), true);
  assert.is(holds('missing != "x"'), true);
  assert.is(holds('missing = "x"'), false);
  assert.is(holds('missing < 1 or missing >= 1 or missing like "%"'), false);
  assert.is(holds('missing in (null, 1)'), true);
});

test('in, not in, like, not like', () => {
  assert.is(holds('author in ("Bob", "Ada")'), true);
  assert.is(holds('author not in ("Bob", "Ada")'), false);
  assert.is(holds('year in ("1843", 1843)'), true);
  assert.is(holds('path like "%/notes/%.md"'), true);
  assert.is(holds('path not like "%/notes/%.md"'), false);
  assert.is(holds('author like "ada"'), false);
  assert.is(holds('year like "%"'), false);
});

test('like: runs, single characters, escapes', () => {
  const like = (value: string, pattern: string): boolean =>
    matchesFilter({ op: 'like', field: 'x', pattern }, () => value);
  for (const [value, pattern] of [
    ['', ''],
    ['', '%'],
    ['abc', 'abc'],
    ['abc', 'a%'],
    ['abc', '%c'],
    ['abc', '%%b%'],
    ['abc', '_b_'],
    ['😀', '_'],
    ['aXbXc', 'a%X_'],
    ['aaab', '%aab'],
    ['50%', '50\\%'],
    ['a_b', 'a\\_b'],
    ['a\\b', 'a\\\\b'],
    ['a\\', 'a\\'],
    ['a.b', 'a.b'],
    ['two\nlines', 'two%'],
  ] as const) {
    assert.is(like(value, pattern), true, `${value} like ${pattern}`);
  }
  for (const [value, pattern] of [
    ['abc', 'ab'],
    ['abc', '_'],
    ['', '_'],
    ['axb', 'a.b'],
    ['500', '50\\%'],
    ['axb', 'a\\_b'],
    ['abc', '%b'],
  ] as const) {
    assert.is(like(value, pattern), false, `${value} like ${pattern}`);
  }
  assert.is(holds(String.raw`x like '50\%'`, { x: '50%' }), true);
  assert.is(holds(String.raw`x like '50\%'`, { x: '500' }), false);
});

test('not binds before and, and before or, and parentheses group', () => {
  assert.is(holds('draft = true and year = 1 or author = "Ada"'), true);
  assert.is(holds('draft = true and (year = 1 or author = "Ada")'), false);
  assert.is(holds('not draft = true and author = "Bob"'), false);
  assert.is(holds('not (draft = true and author = "Bob")'), true);
  assert.is(holds('NOT draft = TRUE AND Author = "Ada"'), false);
  assert.is(holds('NOT draft = TRUE AND author IN ("Ada")'), true);
  assert.equal(parseFilter('a = 1 and b = 2 and c = 3'), {
    op: 'and',
    filters: ['a', 'b', 'c'].map((field, index) => ({
      op: 'compare',
      field,
      comparison: '=',
      value: index + 1,
    })),
  });
});

test('all spellings of a field name the same field', () => {
  const fieldOf = (text: string): string => {
    const filter: Filter = parseFilter(`${text} = 1`);
    return filter.op === 'compare' ? filter.field : '';
  };
  for (const [written, field] of [
    ['author', 'author'],
    ['fields.author', 'author'],
    ['metadata.author', 'author'],
    ['metadata.fields.author', 'author'],
    ['metadata.chunk_kind', 'chunk_kind'],
    ['address.city', 'address.city'],
    ['fields.address.city', 'address.city'],
    ['fields.metadata.x', 'metadata.x'],
    ['fields', 'fields'],
    ['metadata', 'metadata'],
    ['metadata.fields', 'fields'],
    ['`first name`', 'first name'],
    ['fields.`first name`', 'first name'],
    ['`fields.author`', 'fields.author'],
    ['`fields`.author', 'fields.author'],
    ['`and`', 'and'],
    ['content-type', 'content-type'],
    ['größe', 'größe'],
    ['fields.in', 'in'],
  ] as const) {
    assert.is(fieldOf(written), field, written);
  }
});

test('strings have either quotes and escapes', () => {
  const value = (text: string): JsonScalar | undefined => {
    const filter = parseFilter(`a = ${text}`);
    return filter.op === 'compare' ? filter.value : undefined;
  };
  assert.is(value(`'it"s'`), 'it"s');
  assert.is(value(`"it's"`), "it's");
  assert.is(value(String.raw`'it\'s'`), "it's");
  assert.is(value(String.raw`"a\\b\n\t\u00e9\ud83d\ude00"`), 'a\\b\n\té😀');
  assert.is(value('""'), '');
  assert.is(value('"and ( ) `"'), 'and ( ) `');
});

test('modified_at is compared with ISO dates, by default in UTC', () => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'America/New_York';
  assert.is(holds('modified_at > "2026-01-01"'), true);
  assert.is(holds('modified_at > "2026-01-16"'), false);
  assert.is(holds('metadata.modified_at = "2026-01-15"'), true);
  assert.is(holds('modified_at = "2026-01-15T00:00:00"'), true);
  assert.is(holds('modified_at = "2026-01-15T01:30:00.000+01:30"'), true);
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
  assert.is(holds(`modified_at in ("2026-01-15", 5)`), true);
  assert.is(holds(`modified_at >= ${Date.UTC(2026, 0, 15)}`), true);
  assert.is(holds('author > "2026"'), true, 'other fields keep their strings');
  assert.match(refused('modified_at > "yesterday"').message, 'ISO date at position 15');
  refused('modified_at > "2026-13-45"');
});

test('syntax errors name the position and suggest a correction', () => {
  for (const [text, problem, hint] of [
    ['', 'expected a field, found the end at position 1', 'looks like'],
    ['author', 'expected a comparison, `in` or `like`, found the end at position 7', ''],
    ['author = ', 'expected a value, found the end at position 10', ''],
    ['author = Ada', 'expected a value, found a name at position 10', 'quotes'],
    ['author = "Ada', 'a string without its closing quote at position 10', 'Close'],
    ['a = 1 b = 2', 'expected `and`, `or` or the end, found a name at position 7', ''],
    ['a = 1 and', 'expected a field, found the end at position 10', ''],
    ['(a = 1', 'expected `)`, `and` or `or`, found the end at position 7', ''],
    ['a = 1)', 'found `)` at position 6', ''],
    ['a in 1', 'expected `(` or `[`, found a number at position 6', ''],
    ['a in ()', 'expected a value, found `)` at position 7', ''],
    ['a in (1,)', 'expected a value, found `)` at position 9', ''],
    ['a like 1', 'expected a pattern in quotes, found a number at position 8', ''],
    ['and = 1', 'expected a field, found `and` at position 1', 'backticks'],
    ['a <> 1', '`<>` is not an operator at position 3', '!='],
    ['a in [1, 2)', 'expected `,` or `]`', 'looks like'],
    ['a["b" = 1', 'a bracket without its closing bracket at position 2', ']'],
    ['a[0] = 1', 'expected a comparison', 'looks like'],
    ['a = 1 <> 2', '`<>` is not an operator at position 7', '!='],
    ['a = 1 ; drop', 'an unexpected character at position 7', ''],
    ['a. = 1', 'an unexpected character at position 3', ''],
    ['`a = 1', 'a field without its closing backtick at position 1', ''],
    [String.raw`a = "\x"`, 'an unknown escape at position 6', ''],
    ['a = 1x', 'an unexpected character at position 5', ''],
    ['a = 1e999', 'a number is out of range at position 5', ''],
    ['a == == 1', 'expected a value, found `=` at position 6', ''],
    ['a not = 1', 'expected a comparison, `in` or `like`, found `=` at position 7', ''],
  ] as const) {
    const error = refused(text);
    assert.match(error.message, problem);
    assert.match(error.suggestions.join(), hint);
  }
});

test('syntax errors never repeat a value', () => {
  const error = refused('password = "hunter2" "hunter3"');
  assert.not.match(error.message, 'hunter');
});

test('hostile filters are rejected or parsed quickly', async () => {
  refused(`${'('.repeat(5000)}a = 1${')'.repeat(5000)}`);
  refused('a = 1 or '.repeat(20_000));
  assert.is(holds(`${'('.repeat(60)}year = 1843${')'.repeat(60)}`), true);
  assert.is(holds(`${'year = 1 or '.repeat(700)}year = 1843`), true);
  const pattern = `${'%a'.repeat(500)}%b`;
  await assertCheap(10_000, () =>
    assert.is(
      matchesFilter({ op: 'like', field: 'x', pattern }, () => 'a'.repeat(20_000)),
      false,
    ),
  );
});

test('redundant filters are normalized', () => {
  for (const [written, plain] of [
    [`${'not '.repeat(2000)}a = 1`, 'a = 1'],
    [`${'not '.repeat(2001)}a = 1`, 'a != 1'],
    [`${'('.repeat(60)}a = 1${')'.repeat(60)}`, 'a = 1'],
    ['not (not (a < 1))', 'a < 1'],
    ['not (a > 1 and (b = 2 or not c like "x"))', 'not a > 1 or (b != 2 and c like "x")'],
    ['a > 1 and (b > 2 and (c > 3 and d > 4))', 'a > 1 and b > 2 and c > 3 and d > 4'],
    ['a = 1 or b > 2 or a = 3 or a in (3, 4)', 'a in (1, 3, 4) or b > 2'],
    ['a != 1 and not a in (2, 1)', 'not a in (1, 2)'],
    ['a in (5, 5)', 'a = 5'],
  ] as const) {
    assert.equal(parseFilter(written), parseFilter(plain), written.slice(0, 100));
  }
  assert.equal(parseFilter('a != 1 and a not in (2)'), {
    op: 'not',
    filter: { op: 'in', field: 'a', values: [1, 2] },
  });
});

test('filters that are too large for an index are rejected', () => {
  const many = (count: number, one: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => one(n)).join(' or ');
  const deep = (levels: number): string =>
    Array.from({ length: levels }).reduce<string>(
      (inner, _, n) => `(${inner}) ${n % 2 === 0 ? 'and' : 'or'} f${n} = ${n}`,
      'a = 0',
    );
  for (const [fits, beyond, problem] of [
    [many(16, (n) => `f${n} = 1`), many(17, (n) => `f${n} = 1`), '16 conditions'],
    [many(4, (n) => `a like "${n}"`), many(5, (n) => `a like "${n}"`), '4 conditions with `like`'],
    [many(4, (n) => `a > ${n}`), many(5, (n) => `not a > ${n}`), '4 conditions with `like`'],
    [
      many(4, (n) => `f${n} in (1,2,3,4,5)`),
      many(5, (n) => `f${n} in (1,2,3,4,5)`),
      '4 conditions',
    ],
    [deep(8), deep(9), '8 levels'],
    [`a like "${'x'.repeat(128)}"`, `a like "${'x'.repeat(129)}"`, '128 characters'],
  ] as const) {
    parseFilter(fits);
    assert.match(refused(beyond).message, problem);
  }
});

test('an empty and is true, an empty or is false', () => {
  assert.is(
    matchesFilter({ op: 'and', filters: [] }, () => null),
    true,
  );
  assert.is(
    matchesFilter({ op: 'or', filters: [] }, () => null),
    false,
  );
});

test.run();
