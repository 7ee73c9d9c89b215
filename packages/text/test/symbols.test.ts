import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { analyze, documentTerms, queryTerms } from '../src/analyzer/index.js';

const test = suite('symbols');

test('operators between white space are words, other signs are not', () => {
  assert.equal(analyze('red == blue'), ['red', '==', 'blue']);
  for (const operator of ['=>', '===', '!=', '&&', '<=', '->', ':=', '|>', '>>>']) {
    assert.equal(analyze(operator), [operator]);
    assert.equal(analyze(`\t${operator}\n`), [operator]);
    assert.equal(analyze(`x${operator}y`), ['x', 'y']);
  }
  assert.equal(analyze('===== // -- ... ==> {} ( ) ?? \\ * ='), []);
});

test('symbols beyond ASCII are words, once in a text', () => {
  assert.equal(analyze('🚀 release🚀now 5€ → ½ 🇩🇪'), [
    '🚀',
    ...analyze('release'),
    ...analyze('now'),
    '5',
    '€',
    '→',
    ...analyze('½'),
    '🇩',
    '🇪',
  ]);
  assert.equal(queryTerms('🚀').terms, ['🚀']);
  assert.equal(queryTerms('… “”').terms, []);
});

test('names with signs are words in addition to their parts', () => {
  assert.equal(analyze('C++ C# F#'), ['c', 'c++', 'c', 'c#', 'f', 'f#']);
  assert.equal(analyze('.env'), ['env', '.env']);
  assert.equal(analyze('#include <stdio>'), ['includ', '#include', 'stdio']);
  assert.ok(analyze('@Inject() x').includes('@inject'));
  assert.ok(analyze('(`.gitignore`)').includes('.gitignore'));
});

test('signs inside names and sentences are not words', () => {
  assert.equal(
    analyze('a.env me@home x#y I.e.').filter((term) => /[.@#]/.test(term)),
    [],
  );
  assert.equal(analyze('.5 #42 C+ C++x'), ['5', '42', 'c', 'c', 'x']);
});

test('a word of signs counts once and does not break pairs', () => {
  assert.equal(
    analyze('q == r == s').filter((term) => term === '=='),
    ['=='],
  );
  assert.is(documentTerms({ content: 'red == wine' }).pairs, queryTerms('red wine').pairs[0]);
});

test('no term is longer than 40', () => {
  assert.ok(analyze(`.${'long'.repeat(60)}`).every((term) => term.length <= 40));
});

test.run();
