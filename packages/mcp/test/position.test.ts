import { isTroveError } from '@trove/core';
import { assertCheap } from '@trove/test-support/waiting.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatPosition, numberLines, parsePosition } from '../src/position.js';

const test = suite('positions in objects');
const object = 'file://notes/a.md';

test('a position names lines in each of its forms', () => {
  for (const text of [
    `${object}:3-5`,
    `${object}#L3-L5`,
    `${object}#L3-5`,
    `trove://${object}:3-5`,
  ]) {
    assert.equal(parsePosition(text), { uri: object, lines: { start: 3, end: 5 }, locator: null });
  }
  assert.equal(parsePosition(`${object}:3`).lines, { start: 3, end: 3 });
  assert.equal(parsePosition(object, '7:9').lines, { start: 7, end: 9 });
  assert.equal(parsePosition(`${object}:1`, 'L7-L9').lines, { start: 7, end: 9 });
});

test('a URI without lines stays whole', () => {
  for (const uri of [
    object,
    's3://host:9000',
    'file://notes',
    'web://docs/a:b.html',
    'gitlab://acme/x',
  ]) {
    assert.equal(parsePosition(uri), { uri, lines: null, locator: null }, uri);
  }
});

test('a locator of a record survives a call', () => {
  const locator = { key: 7, name: 'a:b}' };
  const position = formatPosition('sqlite://shop/items', locator);
  const { uri, locator: parsed } = parsePosition(position);
  assert.is(uri, 'sqlite://shop/items');
  assert.equal(JSON.parse(parsed ?? ''), locator);
});

test('lines of a locator are written as a range', () => {
  assert.is(formatPosition(object, { lines: [3, 5] }), `${object}:3-5`);
  assert.is(formatPosition(object, { lines: [3, 3] }), `${object}:3`);
  assert.is(formatPosition(object, null), object);
});

test('a range that is none is refused with the form of a range', () => {
  for (const lines of ['0-3', '5-3', 'all', '-3', '3-']) {
    try {
      parsePosition(object, lines);
      assert.unreachable(lines);
    } catch (error) {
      assert.ok(isTroveError(error) && error.code === 'validation_error', lines);
      assert.match(error.suggestions[0] ?? '', '"40-80"');
    }
  }
});

test('a long hostile position takes linear time', () =>
  assertCheap(5000, () => {
    parsePosition(':{'.repeat(50_000));
    parsePosition(`x${':1'.repeat(50_000)}`);
  }));

test('lines are numbered from the first one, without an empty last line', () => {
  assert.is(numberLines('a\nb\n', 9), '9: a\n10: b');
});

test.run();
