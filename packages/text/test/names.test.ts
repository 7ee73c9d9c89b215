import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { nameSpans, normalizeName, sentenceNumbers, wordsOf } from '../src/names/index.js';

const test = suite('names');

test('normalized names ignore case, width and punctuation', () => {
  for (const spelling of ['Émile Zola', 'ÉMILE  ZOLA', 'Émile-Zola', ' "Émile_Zola" ']) {
    assert.is(normalizeName(spelling), 'émile zola', spelling);
  }
  assert.is(normalizeName('ＩＢＭ'), 'ibm');
  assert.is(normalizeName('Straße'), normalizeName('STRASSE'));
  assert.is(normalizeName('ΟΔΥΣΣΕΥΣ'), normalizeName('οδυσσευς'));
  assert.is(normalizeName('東京・都'), '東京 都');
});

test('names of only symbols become empty, and long names are cut', () => {
  assert.is(normalizeName(' — … !'), '');
  assert.is(normalizeName('a'.repeat(100_000)).length, 512);
  assert.ok(normalizeName('\ufdfa'.repeat(100_000)).length < 20_000);
});

test('names are runs of capitalised words within a sentence, with their parts', () => {
  const text = 'There Dr. Ivo Ledin left the University of Velstad. The Baron met J. S. Bach.';
  const words = wordsOf(text);
  const sentences = sentenceNumbers(text, words);
  assert.is(sentences.at(-1), 1);
  assert.equal(
    nameSpans(text, words, sentences).map(({ from, to }) =>
      text.slice(words[from]?.start, words[to - 1]?.end),
    ),
    ['Dr. Ivo Ledin', 'University of Velstad', 'University', 'Velstad', 'Baron', 'J. S. Bach'],
  );
});

test.run();
