import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';

const test = suite('notebooks → Markdown');
const notebook = (content: unknown) =>
  convert(
    'application/x-ipynb+json',
    Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
  );

test('reads cells in order with their text outputs', async () => {
  const { markdown, title } = await notebook({
    nbformat: 4,
    metadata: { title: 'Penguins', language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# Penguins\n', 'of *three* kinds\n', '```\n', 'open'] },
      {
        cell_type: 'code',
        source: 'df.head()',
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['\u001b[31mred\u001b[0m\n', 'two\n'] },
          {
            output_type: 'execute_result',
            data: {
              'text/plain': 'plain',
              'text/html': ['<table><tr><th>a<th>b', '<tr><td>1<td>2</table>'],
            },
          },
          { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=' } },
          { output_type: 'error', ename: 'ValueError', evalue: 'no such island', traceback: [] },
        ],
      },
      { cell_type: 'raw', source: 'last' },
    ],
  });
  assert.is(title, 'Penguins');
  assert.is(
    markdown,
    [
      '# Penguins\nof *three* kinds\n```\nopen\n```',
      '```python\ndf.head()\n```',
      '```\nred\ntwo\n```',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
      '```\nValueError: no such island\n```',
      'last\n',
    ].join('\n\n'),
  );
});

test('reads the older format and shortens a long output', async () => {
  const { markdown } = await notebook({
    nbformat: 3,
    worksheets: [
      {
        cells: [
          { cell_type: 'heading', level: 2, source: ['Setup'] },
          {
            cell_type: 'code',
            language: 'r',
            input: ['x <- 1'],
            outputs: [{ output_type: 'stream', text: 'y'.repeat(30_000) }],
          },
        ],
      },
    ],
  });
  assert.match(markdown, /^## Setup\n\n```\nx <- 1\n```\n\n```\ny{20000}\n…\n```\n$/);
});

test('rejects files that are not notebooks or have no text', async () => {
  assert.is((await refusal(notebook('{"cells": ['))).code, 'document_damaged');
  assert.is((await refusal(notebook([1]))).code, 'document_damaged');
  assert.is((await refusal(notebook({ cells: [null, { source: 7 }] }))).code, 'document_empty');
});

test.run();
