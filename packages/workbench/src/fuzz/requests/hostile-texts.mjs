import * as fc from 'fast-check';

import { reference } from './draft.mjs';

const oddCharacters = [
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\u202e\ufeff\u0001',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'e\u0301'.repeat(200),
  'ﷺ'.repeat(500),
  'ß\u0130ı',
  '\n\r\t',
  '-0',
  'NaN',
  '1e400',
  '0x7fffffff',
  '9'.repeat(400),
  'true',
  'null',
  '{}',
  '[]',
  '__proto__',
  'constructor',
  "'; DROP TABLE jobs; --",
  '" OR 1=1 --',
  '${7*7}',
  '%s%n%d',
  '\\',
  '*',
  '**/**/**/**/*',
  '~',
  '$HOME',
  'env:HOME',
  'file:/etc/passwd',
];

const places = [
  '/',
  '/etc/passwd',
  '/proc/self/environ',
  '/dev/zero',
  '/dev/stdin',
  'file:///etc/passwd',
  'file://local/etc/passwd',
  'file://other/etc/passwd',
  'file://local/%2e%2e/etc/passwd',
  'file:',
  'file://',
  '://',
  'nosuch://x/',
  'http://127.0.0.1:1/',
  'javascript:alert(1)',
  '..',
  '../..',
  'C:\\Windows',
  '\\\\server\\share',
];

const climbs = [
  '/..',
  '/../..',
  '/%2e%2e',
  '/..%2f',
  '/%252e%252e',
  '/..\\',
  '/./',
  '//',
  '/\0',
  '/ ',
  '/.',
];
const leaves = [
  '',
  '/outside/private.txt',
  '/way-out.txt',
  '/way-out/private.txt',
  '/loop/loop/README.md',
  '/nothing',
];

/** Percent-encoded bytes that no text encodes to. A query contains them unchanged. */
export const brokenEncodings = fc
  .constantFrom(
    '%',
    '%zz',
    '%f',
    '%00',
    '%c0%af',
    '%ed%a0%80',
    '%ff',
    '%u0041',
    'a=b',
    '%26',
    '%0d%0aX-Evil:%201',
  )
  .map((encoded) => ({ encoded }));

/** Texts that are error-prone. */
export const oddTexts = fc.oneof(
  fc.constantFrom(...oddCharacters),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
  fc.integer({ min: 1, max: 12_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 1, max: 3000 }).map((length) => 'é '.repeat(length)),
);

/** Paths that try to leave a source, or that no source contains. */
export const oddPaths = fc.oneof(
  fc.constantFrom(...places),
  fc
    .record({
      from: fc.constantFrom('dir', 'file', 'scratch'),
      at: fc.nat(1000),
      climb: fc.array(fc.constantFrom(...climbs), { maxLength: 4 }),
      leaf: fc.constantFrom(...leaves),
    })
    .map(({ from, at, climb, leaf }) => ({
      ...reference(from, at),
      suffix: climb.join('') + leaf,
    })),
  fc.integer({ min: 1, max: 3000 }).map((depth) => `/${'a/'.repeat(depth)}`),
  oddTexts,
);

/** Invalid locators, and locators of other objects. */
export const oddLocators = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    '{"lines":[1,0]}',
    '{"lines":[0,0]}',
    '{"lines":[1,9007199254740993]}',
    '{"lines":[1,1e999]}',
    '{"lines":[1]}',
    '{"lines":"1:2"}',
    '{"lines":[1,1],"chars":[5,2]}',
    '{"lines":[1,1],"chars":[0,99999999]}',
    '{"chars":[0,5]}',
    '{"id":7}',
    '{"__proto__":{"lines":[1,1]}}',
    '{"lines":[1,1],"lines":[2,2]}',
    '{}',
    '[]',
    '{"lines":[1,1]',
  ),
  fc.integer({ min: 1, max: 4000 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
);
