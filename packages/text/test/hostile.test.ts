import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { assertCheap } from '@trove/test-support/waiting.js';
import { analyze, documentTerms, queryTerms } from '../src/analyzer/index.js';

const test = suite('text analyzer on hostile input');

const MILLION = 1 << 20;
/** Linear work takes about 50 ms. Quadratic work on a million characters takes minutes. */
const LIMIT_MS = 10_000;

const hostile: Readonly<Record<string, string>> = {
  'one letter': 'a'.repeat(MILLION),
  'changing case': 'aA'.repeat(MILLION / 2),
  'letters and digits': 'a1'.repeat(MILLION / 2),
  underscores: '_'.repeat(MILLION),
  apostrophes: "'".repeat(MILLION),
  contractions: "a's".repeat(MILLION / 3),
  'combining marks': '\u0301\u0323\u0315'.repeat(MILLION / 3),
  'marks on a letter': `a${'\u0323\u0301'.repeat(MILLION / 2)}`,
  'Thai marks': `ก${'\u0E48\u0E38'.repeat(MILLION / 2)}`,
  ideographs: '漢'.repeat(MILLION),
  'ideographs of two units': '𠀀'.repeat(MILLION / 2),
  'first halves of pairs': '\ud800'.repeat(MILLION),
  'second halves of pairs': '\udc00a'.repeat(MILLION / 2),
  'decomposes to words': '\ufdfa'.repeat(MILLION / 4),
  'slow to stem': `${'y'.repeat(31)} ${'aeiouy'.repeat(5)}ing `.repeat(MILLION / 64),
};

for (const [name, text] of Object.entries(hostile)) {
  test(`takes a million characters in linear time: ${name}`, () =>
    assertCheap(LIMIT_MS, () => {
      for (const term of analyze(text)) {
        if (term === '' || term.length > 40 || /\s/u.test(term))
          assert.unreachable(`a bad term: ${term}`);
      }
    }));
}

test('does not let a run without separators flood the index', () => {
  assert.ok(analyze('a'.repeat(MILLION)).length <= 1);
  assert.ok(analyze('aB1'.repeat(MILLION / 4)).length <= 1);
});

test('never cuts a character in two', () => {
  const texts = [`a${'𐐨'.repeat(60)}`, `漢${'𠀀'.repeat(600)}`, `a${'𐐨'.repeat(600)}`];
  for (const term of texts.flatMap(analyze)) {
    assert.ok(term.length <= 40);
    assert.equal(Buffer.from(term, 'utf8').toString('utf8'), term);
  }
});

test('terms round-trip through joining and splitting by spaces', () => {
  const everyBlock = Array.from({ length: 0x1100 }, (_, block) =>
    Array.from({ length: 16 }, (_unused, i) => {
      const code = block * 256 + i * 16;
      return code >= 0xd800 && code <= 0xdfff ? 'x' : `${String.fromCodePoint(code)}a `;
    }).join(''),
  ).join('');
  const { terms, pairs, contentTerms } = documentTerms({ content: everyBlock });
  assert.equal(terms.split(/\s+/u), contentTerms);
  assert.ok(pairs.split(' ').every((pair) => /^[0-9a-f]{4}$/.test(pair)));
});

test('analyses a query of only symbols', () => {
  assert.equal(queryTerms('?? \ud800 ==>'), {
    terms: [],
    names: [],
    pairs: [],
  });
});

test.run();
