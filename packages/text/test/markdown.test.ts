import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { assertCheap } from '@trove/test-support/waiting.js';
import { formatLink, MarkdownWriter } from '../src/markdown/index.js';

const test = suite('Markdown writer');

/** Linear work takes a few ms. Quadratic work on so many characters takes ten seconds. */
const limitMs = 2000;
const spaces = ' '.repeat(200_000);

function written(write: (writer: MarkdownWriter) => void): string {
  const writer = new MarkdownWriter();
  write(writer);
  return writer.finish('', 'empty').markdown.trim();
}

test('a cell is one line, and code has no blank lines around it', () => {
  assert.is(
    written((writer) => writer.table([[' a|b \r\n \n c\td\n', 'x']])),
    '| a\\|b<br>c d | x |\n| --- | --- |',
  );
  assert.is(
    written((writer) => writer.code(' \n\t\n  a\r\n\n b \n \n')),
    '```\n  a\n\n b\n```',
  );
});

test('a link keeps the spaces around its text', () => {
  assert.is(
    `see${formatLink(' the\n page ', 'https://a.example')}now`,
    'see [the page](https://a.example) now',
  );
  assert.is(formatLink('https://a.example ', 'https://a.example'), 'https://a.example ');
});

test('a list that begins deep is not a code block', () => {
  const items = [2, 2, 3, 1, 2, -1, 0].map((depth, at): [number, string] => [depth, `i${at}`]);
  assert.is(
    written((writer) => items.forEach(([depth, text]) => writer.item(depth, '-', text))),
    '- i0\n- i1\n  - i2\n- i3\n  - i4\n- i5\n- i6',
  );
});

test('white space in cells and code takes linear time', () =>
  assertCheap(limitMs, () => {
    const cell = written((writer) => writer.table([[`a|${spaces}b`, 'x']]));
    assert.ok(cell.includes(`${spaces}b | x |`));
    assert.ok(written((writer) => writer.code(`a${spaces}b`)).includes(`a${spaces}b`));
  }));

test.run();
