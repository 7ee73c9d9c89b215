import type { ResultEnvelope } from '@trove/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  answerPlace,
  isMarked,
  isMarkedQuestion,
  questionsFile,
  toggleAnswer,
} from '../src/search/answers.js';

const test = suite('marked answers');

function hit(
  source: string,
  content: string,
  locator: ResultEnvelope['locator'] = null,
): Pick<ResultEnvelope, 'source' | 'content' | 'locator'> {
  return { source, content, locator };
}

test('name the object, and the first line that is long enough', () => {
  const text =
    '# Title\n\n  Tokens are rotated every night.\nThis is a longer line than the other one.';
  const uri = 'file://local/a.md';
  assert.equal(answerPlace(hit(uri, text, { lines: [3, 5] })), {
    source: uri,
    text: 'Tokens are rotated every night.',
  });
  assert.is(answerPlace(hit(uri, 'one\nthree\ntwo')).text, 'three');
  assert.is(answerPlace(hit(uri, ' \n')).text, '');
  const cut = answerPlace(hit(uri, `${'word '.repeat(30)}end`)).text;
  assert.is(cut, 'word '.repeat(24).trim());
});

test('tell records apart, in the form of a file of questions', () => {
  const rows = [{ id: 7 }, { id: '#8' }].map((locator) =>
    answerPlace(hit('postgres://db/app', 'The same text in both of them.', locator)),
  );
  assert.equal(
    rows.map(({ source }) => source),
    ['postgres://db/app:{"id":7}', 'postgres://db/app:{"id":"\\u00238"}'],
  );
  assert.is(answerPlace(hit('file://local/a:12', 'x')).source, 'file://local/a%3A12');
  assert.is(answerPlace(hit('https://a.example:8080', 'x')).source, 'https://a.example:8080');
});

test('are set and removed by question', () => {
  const [one, two] = ['one', 'two'].map((name) => answerPlace(hit(`file://local/${name}`, name)));
  assert.ok(one !== undefined && two !== undefined);
  const first = toggleAnswer([], 'why', one);
  const both = toggleAnswer(first, 'why', two);
  assert.equal(both, [{ question: 'why', wanted: [one, two] }]);
  assert.ok(isMarked(both, 'why', two));
  assert.not(isMarked(both, 'how', two));
  assert.equal(toggleAnswer(both, 'why', two), first);
  assert.equal(toggleAnswer(first, 'why', one), []);
  const lines = questionsFile(toggleAnswer(first, 'how', two)).split('\n');
  assert.is(lines.length, 3);
  assert.ok(lines.slice(0, 2).every((line) => isMarkedQuestion(JSON.parse(line))));
});

test.run();
