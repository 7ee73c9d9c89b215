import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { MarkdownWriter } from '../src/markdown/index.js';
import { assertCheap } from '../../../scripts/test-support/patience.js';

const test = suite('Markdown, written');

/** Linear work takes a few ms; quadratic work on so many characters takes ten seconds. */
const limitMs = 2000;
const spaces = ' '.repeat(200_000);

function written(write: (writer: MarkdownWriter) => void): string {
  const writer = new MarkdownWriter();
  write(writer);
  return writer.finish('', 'empty').markdown.trim();
}

test('a cell is one line, and a block of code has no empty ones around it', () => {
  assert.is(
    written((writer) => writer.table([[' a|b \r\n \n c\td\n', 'x']])),
    '| a\\|b<br>c d | x |\n| --- | --- |',
  );
  assert.is(
    written((writer) => writer.code(' \n\t\n  a\r\n\n b \n \n')),
    '```\n  a\n\n b\n```',
  );
});

test('much white space in a cell or in code costs no more than it is long', () =>
  assertCheap(limitMs, () => {
    const cell = written((writer) => writer.table([[`a|${spaces}b`, 'x']]));
    assert.ok(cell.includes(`${spaces}b | x |`));
    assert.ok(written((writer) => writer.code(`a${spaces}b`)).includes(`a${spaces}b`));
  }));

test.run();
