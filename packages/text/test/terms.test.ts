import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  documentTerms,
  findDefinitionName,
  queryTerms,
  queryWords,
} from '../src/analyzer/index.js';

const test = suite('text terms');

function count(terms: string, term: string): number {
  return terms.split(' ').filter((each) => each === term).length;
}

/** Returns the token of two terms that analysis does not change. */
function pairToken(first: string, second: string): string {
  const { pairs } = queryTerms(`${first} ${second}`);
  assert.is(pairs.length, 1, `${first} ${second}`);
  return pairs.join();
}

test('counts title, path and context three times, the content once', () => {
  const { terms } = documentTerms({
    content: 'Wings lift.',
    title: 'Flight',
    path: 'docs/gliders.md',
    context: 'Aerodynamics',
  });
  assert.equal(count(terms, 'wing'), 1);
  for (const term of ['flight', 'doc', 'glider', 'md', 'aerodynam']) {
    assert.equal(count(terms, term), 3, term);
  }
});

test('counts defined names twice', () => {
  const { terms } = documentTerms({ content: 'function parseRow() {', names: 'parseRow' });
  for (const term of ['parserow', 'pars', 'row']) assert.is(count(terms, term), 2, terms);
  assert.is(count(terms, 'function'), 1, terms);
});

test('pairs terms across stop words and inside identifiers', () => {
  assert.is(documentTerms({ content: 'heat of conduction' }).pairs, pairToken('heat', 'conduct'));
  assert.equal(documentTerms({ content: 'call parseHeader now' }).pairs.split(' '), [
    pairToken('call', 'parse'),
    pairToken('parse', 'header'),
    pairToken('header', 'now'),
  ]);
});

test('does not pair across title, path, context and content', () => {
  const { pairs } = documentTerms({ content: 'one two', title: 'three four', path: 'five/six' });
  assert.equal(pairs.split(' '), [
    pairToken('one', 'two'),
    pairToken('three', 'four'),
    pairToken('five', 'six'),
  ]);
});

test('pairs are ordered and their tokens rarely collide', () => {
  assert.not.equal(pairToken('heat', 'pump'), pairToken('pump', 'heat'));
  assert.not.equal(pairToken('xy', 'z'), pairToken('x', 'yz'));
  const tokens = new Set<string>();
  for (let i = 0; i < 10_000; i++) {
    const [first, second] = [i % 100, Math.floor(i / 100)].map(
      (n) => 'bcdfghjklm'.charAt(n / 10) + 'npqrstvwxz'.charAt(n % 10),
    );
    tokens.add(pairToken(`${first}a${first}`, `${second}o${second}`));
  }
  // 10,000 pairs use about 9,275 of the 2^16 tokens.
  assert.ok(tokens.size > 9150, String(tokens.size));
  for (const token of tokens) assert.match(token, /^[0-9a-f]{4}$/);
});

test('query terms equal document terms in any spelling', () => {
  const indexed = new Set(
    documentTerms({ content: 'def parse_http_header(line):' }).terms.split(' '),
  );
  for (const question of ['parseHttpHeader', 'http headers', 'PARSE_HTTP_HEADER', 'parsing']) {
    const { terms } = queryTerms(question);
    assert.ok(terms.length > 0 && terms.every((term) => indexed.has(term)), question);
  }
});

test('drops question words and keeps verbs that are frequent in code', () => {
  assert.equal(queryTerms('How do I get and show all users?').terms, ['get', 'show', 'user']);
  assert.equal(queryTerms('What is the boiling point?'), {
    terms: ['boil', 'point'],
    names: [],
    pairs: [pairToken('boil', 'point')],
  });
});

test('a name alone also matches definitions and files of that name', () => {
  const asked = (text: string): string[] => queryTerms(text).names;
  const among = asked('what does parseRow do with MAX_ROWS');
  assert.equal(among, ['def:parserow', 'file:parserow', 'def:maxrows', 'file:max_rows']);
  assert.equal(asked('lamps'), ['def:lamps', 'file:lamps']);
  assert.ok(asked(' Lamp::turnOn() ').includes('def:turnon'));
  assert.ok(asked('src/Lamp.ts').includes('file:lamp.ts'));
  const termsFor = (names: string): string[] =>
    documentTerms({ content: '', names }).terms.split(' ');
  for (const name of ['turnOn', 'Lamp::turnOn', 'turn_on?'])
    assert.ok(termsFor(name).includes('def:turnon'), name);
  const path = 'house/Lamp.ts';
  assert.ok(documentTerms({ content: 'oil', path }).terms.split(' ').includes('file:lamp.ts'));
});

test('findDefinitionName returns the name in a definition question', () => {
  const names = [
    'NextArg',
    'parse_header',
    'Row.parse',
    'std::move',
    '_retry',
    'MAX_ROWS',
    '$scope',
  ];
  for (const name of names) {
    const questions = [
      `func ${name}`,
      `where is ${name} defined?`,
      `${name} implementation`,
      `definition of \`${name}\``,
      `class ${name}`,
      `how does ${name} work`,
      `${name} function`,
      `what does ${name}() do`,
      `show me ${name}(left, right)`,
    ];
    for (const question of questions) assert.is(findDefinitionName(question), name, question);
  }
  assert.is(findDefinitionName('where is handler defined'), 'handler', 'a word beside `defined`');
  assert.is(findDefinitionName('how does Router work'), 'Router');
  const others = [
    'NextArg',
    'how does soap work',
    'where is the lamp',
    'NextArg in error messages',
    'tests of NextArg',
    'who calls parse_header',
    'usages of Row.parse',
    'where is Row.parse called',
    'how does example.com work',
    'what is a function',
    'class action lawsuit',
  ];
  for (const question of others) assert.is(findDefinitionName(question), null, question);
});

test('plain words are names only next to a definition word', () => {
  const asked = (text: string): string[] =>
    queryTerms(text).names.filter((term) => term.startsWith('def:'));
  assert.equal(asked('parseRow with a timeout'), ['def:parserow']);
  assert.equal(asked('the implementation of retry with a timeout'), ['def:retry']);
  assert.equal(asked('python function to sort lists'), []);
  assert.equal(asked('tests of parseRow with a timeout'), []);
});

test('keeps question words that are inside identifiers', () => {
  assert.ok(queryTerms('how_to').terms.includes('howto'));
});

test('a query of only question words is not empty', () => {
  assert.equal(queryTerms('how does who').terms, ['how', 'doe', 'who']);
});

test('documents keep question words', () => {
  assert.is(count(documentTerms({ content: 'What can you do?' }).terms, 'what'), 1);
});

test('only the first words of a long query count', () => {
  const words = Array.from({ length: 1500 }, (_, n) => `w${n.toString(36)}q`);
  const { terms, pairs } = queryTerms(words.join(' '));
  assert.ok(terms.length > 200 && terms.length <= 256, String(terms.length));
  assert.ok(pairs.length <= 256, String(pairs.length));
  assert.is(terms[0], 'w0q');
  const { length } = queryTerms('aB'.repeat(5000)).terms;
  assert.ok(length > 0 && length <= 256, String(length));
});

test('names the words of a query with their terms, without question words', () => {
  const question = 'How does the HttpParser split Headers?';
  assert.equal(queryWords(question), [
    { word: 'HttpParser', terms: ['httpparser', 'http', 'parser'] },
    { word: 'split', terms: ['split'] },
    { word: 'Headers', terms: ['header'] },
  ]);
  assert.equal(
    queryWords(question).flatMap(({ terms }) => terms),
    queryTerms(question).terms,
  );
  assert.equal(queryWords('???'), []);
});

test.run();
