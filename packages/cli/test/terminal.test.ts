import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { displayUri, shellQuote } from '../src/paths/display.js';
import { toTarget } from '../src/paths/target.js';
import { excerptOf } from '../src/terminal/excerpt.js';
import {
  formatAge,
  formatDuration,
  formatScore,
  formatSize,
  formatWait,
} from '../src/terminal/numbers.js';
import { toPrintable, toPrintableName } from '../src/terminal/printable.js';

const test = suite('formats for people');

test('an excerpt contains the words', () => {
  const text = 'a\nb\nc\nthe token\nis Rotated\nd\n\n';
  assert.equal(excerptOf(text, ['rotated', 'token'], 2), {
    before: 3,
    lines: ['the token', 'is Rotated'],
    after: 1,
  });
  assert.equal(excerptOf('a\nb\nc', [], 2), { before: 0, lines: ['a', 'b'], after: 1 });
  assert.equal(excerptOf('a', ['x'], 6), { before: 0, lines: ['a'], after: 0 });
  const started = performance.now();
  assert.is(excerptOf(`${' '.repeat(200_000)}a \n`, [], 1).lines.length, 1);
  assert.ok(performance.now() - started < 3000);
});

test('formats durations, sizes and ages', () => {
  assert.equal([400, 59_940, 65_000, 3_720_000].map(formatDuration), [
    '0.4 s',
    '59.9 s',
    '1 min 05 s',
    '1 h 02 min',
  ]);
  assert.equal([1, 0.999, 0.83, 0.005, 0].map(formatScore), [
    '1.00',
    '0.99',
    '0.83',
    '0.01',
    '0.00',
  ]);
  assert.equal([0, 999, 1500, 250_000, 3e9].map(formatSize), [
    '0 B',
    '999 B',
    '1.5 kB',
    '250 kB',
    '3.0 GB',
  ]);
  const now = Date.parse('2026-01-10T00:00:00Z');
  assert.is(formatAge('2026-01-09T23:59:30Z', now), 'just now');
  assert.is(formatAge('2026-01-09T22:00:00Z', now), '2 h ago');
  assert.is(formatAge('2026-01-01T00:00:00Z', now), '9 d ago');
  assert.is(formatWait('2026-01-09T23:59:30Z', now), 'now');
  assert.is(formatWait('2026-01-10T00:04:30Z', now), 'in 5 min');
  assert.is(formatWait('2026-01-10T02:30:00Z', now), 'in 2 h');
  assert.is(formatWait('2026-01-13T00:00:00Z', now), 'in 3 d');
});

test('makes control characters visible, but keeps line breaks in texts', () => {
  assert.is(toPrintable('a\tb\r\nc\rd\u001b[31m\u007f\u009b'), 'a\tb\nc␍d␛[31m␡<U+009B>');
  assert.is(toPrintableName('a\tb\nc'), 'a␉b␊c');
});

test('shows local files as paths, relative below the working directory', () => {
  const place = { cwd: '/home/me', local: true };
  assert.is(displayUri('file://local/home/me/a%20b', place), 'a b');
  assert.is(displayUri('file://local/home/me', place), '/home/me');
  assert.is(displayUri('file://local/home/me2/x', place), '/home/me2/x');
  assert.is(displayUri('file://local', place), '/');
  assert.is(displayUri('file://local/100%', place), '/100%');
  assert.is(displayUri('file://other/x', place), 'file://other/x');
  assert.is(
    displayUri('file://local/home/me/a', { ...place, local: false }),
    'file://local/home/me/a',
  );
});

test('accepts displayed paths as input', () => {
  for (const path of [
    '/home/me/a b',
    '/home/me/x%2Fy',
    '/srv/ü',
    '/home/me/..x/y',
    '/home/me/~',
    '/home/me/-r',
  ]) {
    const uri = `file://local${path.replace(/[% ]/g, (char) => encodeURIComponent(char))}`;
    assert.is(toTarget(displayUri(uri, { cwd: '/home/me', local: true }), '/home/me'), path);
  }
});

test('quotes special characters for a shell', () => {
  assert.is(shellQuote('a/b.md'), 'a/b.md');
  assert.is(shellQuote("it's $HOME"), `'it'\\''s $HOME'`);
});

test.run();
