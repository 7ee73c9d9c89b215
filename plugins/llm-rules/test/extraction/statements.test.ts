import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { extractTriplets } from '../../src/extraction/extract-triplets.js';

const test = suite('triplets by rules');

function found(text: string, title: string | null = null): string[] {
  return extractTriplets(text, title).map(
    ({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`,
  );
}

test('extracts the leading name, the words between, and the next name', () => {
  assert.equal(found('The Long Harbour was directed by Mira Okafor of Velstad.'), [
    'Long Harbour | was directed by | Mira Okafor of Velstad',
  ]);
  assert.equal(found('Mira Okafor was born in Velstad and studied in Oslo.'), [
    'Mira Okafor | was born in | Velstad',
    'Mira Okafor | and studied in | Oslo',
  ]);
});

test('uses the title without its parenthesis if no name leads the sentence', () => {
  assert.equal(
    found('She was born in Velstad. Hundreds live near Oslo.', 'Mira Okafor (painter)'),
    ['Mira Okafor | was born in | Velstad', 'Mira Okafor | Hundreds live near | Oslo'],
  );
  assert.equal(found('She was born there.', 'Mira Okafor'), []);
});

test('keeps the article of a title that is a subject', () => {
  assert.equal(found('The Long Harbour was made by Mira Okafor.', 'The Long Harbour (film)'), [
    'The Long Harbour | was made by | Mira Okafor',
  ]);
});

test('joined names share their predicate', () => {
  assert.equal(found('Mira Okafor met Ivo Ledin and the Baron Cray.'), [
    'Mira Okafor | met | Ivo Ledin',
    'Mira Okafor | met | Baron Cray',
  ]);
});

test('a predicate has at most ten words, the nearest ones', () => {
  const [only = ''] = found(`Mira ${'one two three four '.repeat(5)}saw Oslo.`);
  assert.is(only, 'Mira | four one two three four one two three four saw | Oslo');
});

test('extracts nothing about a single name, twice, or across sentences', () => {
  assert.equal(found('Oslo is Oslo.'), []);
  assert.equal(found('Oslo is in Norway. OSLO is in Norway.'), ['Oslo | is in | Norway']);
  assert.equal(found('Oslo lies north. There is Bergen.'), []);
  assert.equal(found('J. S. Bach met Dr. Ivo Ledin.'), ['J. S. Bach | met | Dr. Ivo Ledin']);
});

test('ends early and within limits for hostile texts', () => {
  const texts = [
    'A'.repeat(200_000),
    'A b '.repeat(50_000),
    'Oslo. '.repeat(30_000),
    `Oslo${' '.repeat(100_000)}Bergen`,
    'Ⅷ\u0301\u0315'.repeat(30_000),
    '\ud800 Oslo \udc00 sees Bergen \ud83d',
    '',
  ];
  for (const text of texts) {
    const triplets = extractTriplets(text, text);
    assert.ok(triplets.length <= 100);
    for (const part of triplets.flatMap((each) => Object.values<string>({ ...each }))) {
      assert.ok(part.length <= 200 && part.isWellFormed());
    }
  }
});

test.run();
