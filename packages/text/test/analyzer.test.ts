import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { analyze } from '../src/analyzer/index.js';

const test = suite('text analyzer');

test('folds case and stems, and drops stop words', () => {
  assert.equal(analyze('The Wings of the birds ARE flying'), ['wing', 'bird', 'fly']);
  assert.equal(analyze('connected connecting connection'), ['connect', 'connect', 'connect']);
});

test('folds accents, compatibility forms and letters without decomposition', () => {
  assert.equal(analyze('Café Müller naïve'), analyze('cafe muller naive'));
  assert.equal(analyze('cafe\u0301'), ['cafe']);
  assert.equal(analyze('Straße Łódź Ærø'), analyze('strasse lodz aero'));
  assert.equal(analyze('ＡＢＣ ﬁle'), analyze('abc file'));
  assert.equal(analyze('ΟΔΟΣ'), analyze('οδος'));
  assert.equal(analyze('İstanbul'), analyze('istanbul'));
});

test('folds reading aids and invisible characters', () => {
  assert.equal(analyze('שָׁלוֹם كِتَابٌ'), analyze('שלום كتاب'));
  assert.equal(analyze('\uFEFFinfor\u00ADmation می\u200Cخواهم'), analyze('information میخواهم'));
});

test('keeps the vowel signs of Indic scripts', () => {
  assert.equal(analyze('हिन्दी'), ['हिन्दी']);
});

test('splits identifiers and keeps the whole', () => {
  for (const spelling of ['parseHeader', 'ParseHeader', 'parse_header', 'PARSE_HEADER']) {
    assert.equal(analyze(spelling), ['parseheader', 'pars', 'header'], spelling);
  }
  assert.equal(analyze('HTTPServer2Go'), ['httpserver2go', 'http', 'server', '2', 'go']);
  assert.equal(analyze('__init__'), ['init']);
  assert.equal(analyze('utf8'), ['utf8', 'utf', '8']);
});

test('separates kebab case, paths and dotted names', () => {
  assert.equal(analyze('src/text-tools/index.ts'), ['src', 'text', 'tool', 'index', 'ts']);
  assert.equal(analyze('os.path.join(a)'), ['os', 'path', 'join']);
});

test('drops contractions after an apostrophe', () => {
  assert.equal(analyze("Bernoulli's law doesn’t hold"), ['bernoulli', 'law', 'doesn', 'hold']);
  assert.equal(analyze("f'value' o'neill"), ['f', 'valu', 'o', 'neill']);
});

test('splits scripts without spaces into bigrams', () => {
  assert.equal(analyze('ひらがな'), ['ひら', 'らが', 'がな']);
  assert.equal(analyze('ไทย'), ['ไท', 'ทย']);
  assert.equal(analyze('ア'), ['ア']);
  assert.equal(analyze('ｶﾞｽ'), analyze('ガス'));
  assert.equal(analyze('ガスー'.normalize('NFD')), ['ガス', 'スー']);
  for (const run of ['ພາສາລາວ', 'ភាសាខ្មែរ', 'မြန်မာဘာသာ']) {
    assert.ok(analyze(run).length > 2, run);
  }
});

test('finds single ideographs and pairs, also beyond the basic plane', () => {
  assert.equal(analyze('東京'), ['東', '東京', '京']);
  assert.equal(analyze('東\uFE00京\u{E0100}'), analyze('東京'));
  assert.equal(analyze('𠀀𠀁'), ['𠀀', '𠀀𠀁', '𠀁']);
});

test('separates scripts that meet without a space', () => {
  assert.equal(analyze('Node入門 2版'), ['node', '入', '入門', '門', '2', '版']);
});

test('ignores punctuation, ASCII signs and control characters', () => {
  assert.equal(analyze('?!… \u0000\t\n(==) ___ ¨ -- ... // {'), []);
  assert.equal(analyze(''), []);
});

test('keeps the letters of other alphabets unstemmed', () => {
  assert.equal(analyze('Привет, миров'), ['привет', 'миров']);
  assert.equal(analyze('한국어 문서'), ['한국어', '문서']);
});

test('keeps hashes whole and splits no encoded data', () => {
  const hash = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
  assert.equal(analyze(hash), [hash]);
  const encoded = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 197 + 31) % 256));
  const text = encoded.toString('base64');
  assert.ok(analyze(text).length < text.length / 10);
});

test('gives the same terms regardless of the cache', () => {
  const sample = 'parseHeader naïve 東京 connections';
  const before = analyze(sample);
  for (let i = 0; i < 100_000; i++) analyze(`w${i.toString(36)}x`);
  assert.equal(analyze(sample), before);
});

test.run();
