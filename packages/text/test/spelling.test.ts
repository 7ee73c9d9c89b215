import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  analyze,
  suggestSpellings,
  containsWordForm,
  correctableWords,
  wordsWithTerm,
} from '../src/analyzer/index.js';

const test = suite('spelling');

const wordsOf = (text: string): string[] => correctableWords(text).map(({ word }) => word);

function respelt(word: string): string[] {
  return suggestSpellings(word).flatMap(({ words }) => words);
}

test('correctable words are neither short, stop words nor numbers', () => {
  assert.equal(wordsOf('Wärmeleitung with an oil of 4500 rpm, x86asm 搜索引擎'), ['Wärmeleitung']);
  assert.equal(wordsOf('parseHTTPHeader with_lamp_oil x'), ['parse', 'HTTP', 'Header', 'lamp']);
  assert.equal(wordsOf('поиск σίγμα'), ['поиск', 'σίγμα']);
  assert.equal(wordsOf(`antidisestablishmentarianism ${'a'.repeat(25)}`), []);
});

test('correctable words have an offset and the terms of the index', () => {
  assert.equal(correctableWords("it's Runing, and runing"), [
    { word: 'Runing', start: 5, term: 'rune', wholeTerm: 'runing', enclosingName: null },
    { word: 'runing', start: 17, term: 'rune', wholeTerm: 'runing', enclosingName: null },
  ]);
  assert.equal(correctableWords('a lampLampe'), [
    { word: 'lamp', start: 2, term: 'lamp', wholeTerm: 'lamp', enclosingName: 'lampLampe' },
    { word: 'Lampe', start: 6, term: 'lamp', wholeTerm: 'lampe', enclosingName: 'lampLampe' },
  ]);
});

test('suggestions are one edit away and keep the first letter', () => {
  const all = respelt('lamp');
  for (const word of ['lapm', 'lamps', 'limp', 'lap', 'clamp', 'alamp', 'amp', 'damp', 'lump']) {
    const isThere = !['clamp', 'alamp', 'amp', 'damp'].includes(word);
    assert.is(all.includes(word), isThere, word);
  }
  for (const { words, term } of suggestSpellings('conections')) {
    for (const word of words) assert.equal(term === null ? [] : [term], analyze(word), word);
  }
  assert.ok(suggestSpellings('conections').some(({ term }) => term === 'connect'));
  assert.equal(new Set(all).size, all.length);
});

test('spellings with the same term are ordered by likelihood', () => {
  const alike = (word: string, as: string) =>
    suggestSpellings(word).find(({ term }) => term === as)?.words;
  const said = (word: string, as: string) => alike(word, as)?.[0];
  assert.is(said('conection', 'connect'), 'connection');
  assert.is(said('postgers', 'postgr'), 'postgres');
  assert.is(said('pythong', 'python'), 'python');
  assert.is(said('schemes', 'schema'), 'schemas');
  assert.is(said('selecton', 'select'), 'selection');
  assert.ok(alike('migraton', 'migrat')?.includes('migration'));
});

test('wordsWithTerm returns words as written, also in identifiers', () => {
  const raw = (term: string, text: string) => wordsWithTerm(term, text).map((each) => each.raw);
  assert.equal(raw('connect', 'Connections reconnect, to connect acquireConnection'), [
    'Connections',
    'connect',
    'Connection',
  ]);
  assert.equal(raw('lamp', 'a lampshade, LAMP_OIL'), ['LAMP']);
  assert.equal(raw('schliesst', 'Er schließt'), ['schließt']);
});

test('a stop word is a suggestion without a term', () => {
  assert.equal(
    suggestSpellings('thier').filter(({ term }) => term === null),
    [{ words: ['their'], term: null }],
  );
});

test('suggestions stay in the alphabet of the word', () => {
  assert.ok(respelt('поеск').includes('поиск'));
  assert.ok(respelt('σίγμο').includes('σιγμα'));
  assert.ok(respelt('Wörme').includes('warme'));
  assert.equal(suggestSpellings('поискx'), []);
});

test('containsWordForm matches whole words with the same beginning', () => {
  const isShown = (query: string, text: string): boolean[] =>
    correctableWords(query).map((word) => containsWordForm(text, word));
  assert.equal(isShown('connections lamp', 'Connect the (LAMP)'), [true, true]);
  assert.equal(isShown('connections lamp', 'reconnect it, lamplight, lamp_post, lamp2'), [
    false,
    false,
  ]);
  assert.equal(isShown('поиск café', 'ПОИСК Café'), [true, true]);
  assert.equal(isShown('nonetype', 'the NoneType'), [false], 'a name of two words');
  assert.equal(isShown('LampOil', 'a new lampOil()'), [true], 'the name that it is a part of');
  assert.equal(isShown('lamp', 'İ lamp'), [false], 'a letter that is longer in lower case');
});

test.run();
