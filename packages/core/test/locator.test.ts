import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  charsOf,
  isTroveError,
  linesOf,
  locatorKey,
  parseLocator,
  parseRange,
  type Locator,
} from '../src/index.js';

const test = suite('locator');

const isRefusal = (error: unknown): boolean =>
  isTroveError(error) && error.code === 'validation_error';

test('a range counts from 1 and includes both ends', () => {
  assert.equal(parseRange('10:20'), { start: 10, end: 20 });
  assert.equal(parseRange('3:3'), { start: 3, end: 3 });
  assert.equal(parseRange('10:'), { start: 10, end: Infinity });
  assert.equal(parseRange(':5'), { start: 1, end: 5 });
});

test('invalid ranges are rejected', () => {
  for (const text of [
    '',
    ':',
    '5',
    '20:10',
    '0:5',
    ':0',
    '-1:5',
    'a:b',
    '1:2:3',
    '1.5:2',
    ' 1:2',
    '1:2\n',
    '1e3:',
    '９:',
    `${'9'.repeat(40)}:`,
  ]) {
    assert.throws(() => parseRange(text), isRefusal, JSON.stringify(text));
  }
});

test('locators are parsed from the JSON of a hit', () => {
  assert.equal(parseLocator('{"lines":[3,7]}'), { lines: [3, 7] });
  assert.equal(parseLocator('{"id":7,"region":"eu","gone":null}'), {
    id: 7,
    region: 'eu',
    gone: null,
  });
});

test('invalid locators are rejected', () => {
  for (const text of [
    '',
    '{',
    '[]',
    '7',
    'null',
    '"a"',
    '{"a":{}}',
    '{"a":["b"]}',
    '{"__proto__":{}}',
  ]) {
    assert.throws(() => parseLocator(text), isRefusal, text);
  }
});

test('lines and chars, or null when a locator has none', () => {
  assert.equal(linesOf({ lines: [3, 7] }), { start: 3, end: 7 });
  assert.equal(charsOf({ lines: [3, 3], chars: [0, 40] }), { start: 0, end: 40 });
  assert.is(linesOf({ id: 7 }), null);
  assert.is(charsOf({ lines: [3, 7] }), null);
});

test('malformed lines and chars are rejected', () => {
  const malformed: Locator[] = [
    { lines: [0, 1] },
    { lines: [2, 1] },
    { lines: [1] },
    { lines: [1, 2, 3] },
    { lines: [1.5, 2] },
    { lines: '1:2' },
    { lines: null },
    { lines: [1, 1e300] },
  ];
  for (const locator of malformed)
    assert.throws(() => linesOf(locator), isRefusal, JSON.stringify(locator));
  assert.throws(() => charsOf({ lines: [1, 1], chars: [-1, 1] }), isRefusal);
});

test('locator keys ignore the order of fields but not their types', () => {
  assert.is(locatorKey({ a: 1, b: 'x' }), locatorKey({ b: 'x', a: 1 }));
  assert.is.not(locatorKey({ a: 1 }), locatorKey({ a: '1' }));
  assert.is.not(locatorKey({ lines: [1, 2] }), locatorKey({ lines: [1, 3] }));
});

test.run();
