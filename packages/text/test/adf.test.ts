import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { adfToMarkdown } from '../src/adf/index.js';

const test = suite('Atlassian documents');

type Node = Readonly<Record<string, unknown>>;

function node(type: string, content: readonly Node[] = [], attrs: Node = {}): Node {
  return { type, attrs, content };
}

function text(value: string, ...marks: readonly Node[]): Node {
  return { type: 'text', text: value, marks };
}

function paragraph(...content: readonly Node[]): Node {
  return node('paragraph', content);
}

function markdown(...content: readonly Node[]): string {
  return adfToMarkdown({ type: 'doc', version: 1, content });
}

test('converts headings, paragraphs, line breaks and rules', () => {
  const document = markdown(
    node('heading', [text('Crash')], { level: 2 }),
    paragraph(text('It '), text('really', { type: 'strong' }), node('hardBreak'), text('crashes')),
    node('rule'),
    paragraph(text('End')),
  );
  assert.is(document, '## Crash\n\nIt really\ncrashes\n\n---\n\nEnd');
});

test('keeps links, mentions, dates, statuses, emoji and cards as text', () => {
  const document = markdown(
    paragraph(
      text('See the guide', { type: 'link', attrs: { href: 'https://a.example/guide' } }),
      text(' of '),
      node('mention', [], { id: '5b-ann', text: '@Ann' }),
      text(' by '),
      node('date', [], { timestamp: '1772409600000' }),
      text(' '),
      node('status', [], { text: 'DONE', color: 'green' }),
      node('emoji', [], { shortName: ':tada:', text: '🎉' }),
    ),
    node('blockCard', [], { url: 'https://a.example/card' }),
  );
  assert.is(
    document,
    '[See the guide](https://a.example/guide) of @Ann by 2026-03-02 DONE🎉\n\nhttps://a.example/card',
  );
});

test('nests lists and shows the state of tasks', () => {
  const item = (...content: readonly Node[]): Node => node('listItem', content);
  const document = markdown(
    node('bulletList', [
      item(
        paragraph(text('one')),
        node('orderedList', [item(paragraph(text('deep')))], { order: 3 }),
      ),
      item(paragraph(text('two'))),
    ]),
    node('taskList', [
      node('taskItem', [text('written')], { state: 'DONE' }),
      node('taskItem', [text('reviewed')], { state: 'TODO' }),
      node('taskList', [node('taskItem', [text('twice')], { state: 'TODO' })]),
    ]),
  );
  assert.is(document, '- one\n  3. deep\n- two\n- [x] written\n- [ ] reviewed\n  - [ ] twice');
});

test('converts tables, code, quotes, panels and expandable sections', () => {
  const cell = (type: string, value: string): Node => node(type, [paragraph(text(value))]);
  const document = markdown(
    node('table', [
      node('tableRow', [cell('tableHeader', 'name'), cell('tableHeader', 'size')]),
      node('tableRow', [cell('tableCell', 'a|b'), cell('tableCell', '1')]),
    ]),
    node('codeBlock', [text('# no heading\n')], { language: 'sh' }),
    node('panel', [paragraph(text('Careful')), paragraph(text('Hot'))], { panelType: 'warning' }),
    node('expand', [paragraph(text('Inside'))], { title: 'More' }),
  );
  assert.is(
    document,
    [
      '| name | size |\n| --- | --- |\n| a\\|b | 1 |',
      '```sh\n# no heading\n```',
      '> Careful\n> Hot',
      'More',
      'Inside',
    ].join('\n\n'),
  );
});

test('keeps the text of unknown nodes', () => {
  const document = markdown(node('futureBlock', [node('futureInline', [text('kept')])]));
  assert.is(document, 'kept');
});

test('returns an empty text for other values and for documents without text', () => {
  for (const value of [null, undefined, 'text', 7, [], {}, { type: 'doc', content: [null, 'a'] }])
    assert.is(adfToMarkdown(value), '');
});

test('survives a document that is nested without end', () => {
  let deep: Node = paragraph(text('bottom'));
  for (let depth = 0; depth < 20_000; depth++) deep = node('layoutSection', [deep]);
  assert.is(markdown(deep, paragraph(text('next'))), 'next');
});

test.run();
