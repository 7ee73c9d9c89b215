import { between, oneOf } from '@trove/test-support/random.js';

const makers = {
  empty: () => '',
  words: (random) =>
    `# A ${oneOf(random, ['fox', 'hen', 'owl'])}\n\nIt sleeps at noon.\n`.repeat(
      between(random, 1, 60),
    ),
  'one long line': (random) => 'word '.repeat(between(random, 1000, 200_000)),
  'no space at all': (random) => 'x'.repeat(between(random, 1000, 500_000)),
  'many empty lines': (random) => '\n'.repeat(between(random, 100, 100_000)),
  'line ends of all kinds': () => 'a\rb\r\nc\nd\u2028e\u0085f\vg\fh\n\r'.repeat(500),
  bytes: (random) => Buffer.from(Array.from({ length: 5000 }, () => between(random, 0, 255))),
  'cut off UTF-8': () =>
    Buffer.concat([Buffer.from('text '.repeat(50)), Buffer.from([0xe2, 0x82])]),
  'cut off UTF-16': () =>
    Buffer.concat([Buffer.from('\ufeffa fox', 'utf16le'), Buffer.from([0x3d])]),
  'lone surrogates in UTF-16': () => Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00, 0x00, 0xdc]),
  'text with NUL': () => `a fox\0and a hen\n`.repeat(40),
  'deep JSON': (random) => '['.repeat(between(random, 10, 20_000)),
  'odd JSON': () => '{"__proto__": {"a": 1}, "a": 1e999, "a": "\\ud800"}\n',
  'odd CSV': () => 'id,"na""me\n1,"a\nb"\n2,,,,,\n"',
  'a notebook of nothing': () => '{"cells": [{"source": 7}, null, {"source": [["x"]]}]}',
  'many headings': () =>
    Array.from({ length: 3000 }, (_, at) => `${'#'.repeat(1 + (at % 7))} h${at}`).join('\n'),
  'deep quotes': () => `${'> '.repeat(3000)}a fox\n`,
  'open fences': () => '```\n~~~\n```` x\n'.repeat(800),
  'marks on marks': () => `e${'\u0301'.repeat(20_000)}\n`,
  'a million brackets': (random) => '[]('.repeat(between(random, 100, 100_000)),
  'code without an end': () => 'function f() { if (a) { '.repeat(3000),
};

const ignoreRules = [
  '*',
  '!*',
  '**',
  '**/'.repeat(200),
  '**/a/'.repeat(60),
  '*a'.repeat(60),
  '[',
  '[z-a]',
  '[[:nosuch:]]',
  '\\',
  '!',
  '/',
  '(((((',
  '# comment',
  '  ',
  'f1*',
  '!f1.md',
  'd*/',
  '../**',
  '/../x',
  '\u0000',
  '+(a|b)',
  '{a,b}{c,d}',
];

/** Generates the content of a file. */
export function contentFrom(random) {
  return makers[oneOf(random, Object.keys(makers))](random);
}

/** Generates the content of an ignore file. */
export function ignoreRulesFrom(random) {
  return Array.from({ length: between(random, 1, 8) }, () => oneOf(random, ignoreRules)).join('\n');
}
