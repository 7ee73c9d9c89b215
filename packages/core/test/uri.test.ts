import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { assertCheap } from '@trove/test-support/waiting.js';
import { formatUri, isTroveError, joinUri, parseUri, relativePath } from '../src/index.js';

const test = suite('uri');

const canonical = (text: string): string => formatUri(parseUri(text));

test('parses a path or a URI', () => {
  assert.equal(parseUri('/a/b'), { scheme: 'file', authority: '', path: '/a/b' });
  assert.equal(parseUri('file:///a/b'), { scheme: 'file', authority: '', path: '/a/b' });
  assert.equal(parseUri('file://local/a/b'), { scheme: 'file', authority: 'local', path: '/a/b' });
  assert.equal(parseUri('GitHub://Owner/Repo'), {
    scheme: 'github',
    authority: 'Owner',
    path: '/Repo',
  });
  assert.equal(parseUri('db+pg://host:5432'), {
    scheme: 'db+pg',
    authority: 'host:5432',
    path: '',
  });
  assert.equal(parseUri('/'), { scheme: 'file', authority: '', path: '' });
});

test('every source has one canonical URI', () => {
  for (const [text, expected] of [
    ['/a/b', 'file:///a/b'],
    ['/a//b/', 'file:///a/b'],
    ['/a/./b/../c', 'file:///a/c'],
    ['/../../etc', 'file:///etc'],
    ['file:///a/%2e%2e/%2E%2E/etc', 'file:///etc'],
    ['file://local/a%20b', 'file://local/a%20b'],
    ['file://local/a b', 'file://local/a%20b'],
    ['file://local/100%', 'file://local/100%25'],
    ['file://local/a?b#c', 'file://local/a%3Fb%23c'],
    ['file://local/%C3%A9', 'file://local/é'],
    ['file://local/%FF', 'file://local/%25FF'],
    ['file://a%2Fb/c', 'file://a%2Fb/c'],
  ] as const) {
    assert.is(canonical(text), expected, text);
    assert.is(canonical(expected), expected, `${expected} is canonical`);
  }
});

test('percent signs in local paths are literal', () => {
  assert.is(parseUri('/a%20b').path, '/a%20b');
  assert.is(canonical('/a%20b'), 'file:///a%2520b');
});

test('rejects texts that are neither absolute paths nor URIs', () => {
  for (const text of [
    '',
    '  ',
    'a/b',
    './a',
    '~/a',
    'C:\\a',
    'file:a',
    '://a',
    '1a://b',
    '/a\0b',
    'file:///a%00b',
    ' /a',
  ]) {
    assert.throws(
      () => parseUri(text),
      (error: unknown) => isTroveError(error) && error.code === 'validation_error',
      JSON.stringify(text),
    );
  }
});

test('relativePath compares whole path segments', () => {
  assert.is(relativePath('file://local/a', 'file://local/a'), '');
  assert.is(relativePath('file://local/a', 'file://local/a/b%20c'), 'b c');
  assert.is(relativePath('file://local/a', 'file://local/ab'), null);
  assert.is(relativePath('file://local/a', 'file://local'), null);
  assert.is(relativePath('file://local', 'file://local/a'), 'a');
  assert.is(joinUri('file://local/a', ''), 'file://local/a');
});

const pieces = [
  'a',
  'B',
  ' ',
  '%',
  '%41',
  '%2F',
  '%FF',
  '%C3',
  '?',
  '#',
  '&',
  '+',
  '\\',
  '..',
  '.',
  '…',
  'é',
  'e\u0301',
  '😀',
  '\n',
  '\r',
  '\t',
  '\u0001',
  '\u007f',
  '\u2028',
  '\u00a0',
  '"',
  "'",
  '`',
  ':',
  ';',
  '*',
  '語',
  '~',
];

test('any name round-trips through a URI', () => {
  let state = 11;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 5000; round++) {
    const names = Array.from({ length: 1 + next(4) }, () => {
      const name = Array.from(
        { length: 1 + next(6) },
        () => pieces[next(pieces.length)] ?? '',
      ).join('');
      return name === '.' || name === '..' ? 'dots' : name;
    });
    const path = names.join('/');
    const root = canonical(`/${names[0] ?? ''} root`);
    const uri = joinUri(root, path);
    assert.is(relativePath(root, uri), path);
    assert.is(parseUri(uri).path, `${parseUri(root).path}/${path}`);
    assert.is(canonical(uri), uri);
    assert.not.match(uri, /[\s#?]/);
  }
});

test('long and repetitive texts are parsed quickly', () =>
  assertCheap(15_000, () => {
    for (const piece of ['/', '/..', '%41', '%', '/./', ':', 'a://'])
      canonical(`file:///${piece.repeat(300_000)}`);
  }));

test.run();
