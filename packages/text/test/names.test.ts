import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  canonicalName,
  nameSpans,
  normalizeName,
  sentenceNumbers,
  wordsOf,
} from '../src/names/index.js';

const test = suite('names');

function namesIn(text: string): string[] {
  const words = wordsOf(text);
  const spans = nameSpans(text, words, sentenceNumbers(text, words));
  return spans.map(({ from, to }) => text.slice(words[from]?.start, words[to - 1]?.end));
}

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

test('titles, articles and legal forms do not distinguish names', () => {
  for (const [longer, shorter] of [
    ['Die Seewind AG', 'Seewind'],
    ['Seewind GmbH & Co. KG', 'seewind'],
    ['Dr. Samuel Okoro', 'Samuel Okoro'],
    ['Prof. Dr. med. Ada Voss, PhD', 'Ada Voss'],
    ['The Long Harbour', 'long harbour'],
    ['Harbour Tools Inc.', 'Harbour Tools'],
    ['Segelfreunde e.V.', 'Segelfreunde'],
    ['La Compañía del Puerto S.A.', 'Compañía del Puerto'],
    ['ООО «Ромашка»', 'Ромашка'],
    ['株式会社トヨタ', 'トヨタ'],
    ['百度有限公司', '百度'],
    ['田中さん', '田中'],
  ] as const) {
    assert.is(canonicalName(longer), normalizeName(shorter), longer);
  }
});

test('keeps articles and titles that are names or parts of other words', () => {
  for (const name of [
    'The Who',
    'Die Hard',
    'La Paz',
    'Doctor Who',
    'AG',
    'Dr.',
    'Ada',
    'Los Angeles',
  ]) {
    assert.is(canonicalName(name), normalizeName(name), name);
  }
  assert.is(canonicalName(' — '), '');
});

test('options, identifiers and shouted words are not names', () => {
  assert.equal(namesIn('Use a TOKEN with GET, --Force, -X or TROVE_HOME=Oslo and `Velstad` now.'), [
    'Use',
  ]);
  assert.equal(namesIn('Each ship of the fleet is a SHIP for NATO and UNESCO.'), [
    'NATO',
    'UNESCO',
  ]);
  assert.equal(namesIn('The Bank of the US sold it to us.'), ['Bank of the US', 'Bank']);
  assert.equal(namesIn('IVO LEDIN MET MIRA OKAFOR'), ['IVO LEDIN MET MIRA OKAFOR']);
});

test.run();
