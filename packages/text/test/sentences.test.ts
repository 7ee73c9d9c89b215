import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sentencesOf } from '../src/sentences/index.js';

const test = suite('sentences');

test('sentences of prose span wrapped lines, and other lines stand alone', () => {
  const show = (text: string, isProse: boolean) =>
    sentencesOf(text, isProse).map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);
  const text = [
    '# The lamp of Dr. Weber',
    '',
    'The lamp was built by Dr. Weber in a small workshop',
    'near Porto. It burns! Why does it burn?',
    '- because of the oil',
    '1. and the wick',
    '',
    '| --- | --- |',
  ].join('\n');
  assert.equal(show(text, true), [
    'heading: The lamp of Dr. Weber',
    'statement: The lamp was built by Dr. Weber in a small workshop\nnear Porto.',
    'statement: It burns!',
    'question: Why does it burn?',
    'statement: because of the oil',
    'statement: and the wick',
  ]);
  assert.equal(show('const theFirstLineIsLongEnoughToBeWrapped = 1\nconst b = 2', false), [
    'statement: const theFirstLineIsLongEnoughToBeWrapped = 1',
    'statement: const b = 2',
  ]);
});

test('a part of a text may begin or end inside a code block', () => {
  const statements = (text: string) =>
    sentencesOf(text, true).map(({ start, end }) => text.slice(start, end));
  const prose = 'A sentence of some length that is wrapped\nafter eight words.';
  assert.equal(statements(`const a = 1;\n\`\`\`\n\n${prose}`), ['const a = 1;', prose]);
  assert.equal(statements(`${prose}\n\n\`\`\`\nconst a = 1;`), [prose, 'const a = 1;']);
  assert.equal(statements(`b();\n\`\`\`\n\n${prose}\n\n\`\`\`js\nc();`), ['b();', prose, 'c();']);
});

test.run();
