import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { documentTerms, queryTerms } from '../src/text/index.js';

const test = suite('text terms');

function count(terms: readonly string[], term: string): number {
  return terms.filter((each) => each === term).length;
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

test('pairs neighbours over stop words and inside identifiers, without the whole identifier', () => {
  assert.equal(documentTerms({ content: 'heat of conduction' }).pairs, ['heat_conduct']);
  assert.equal(documentTerms({ content: 'call parseHeader now' }).pairs, [
    'call_pars',
    'pars_header',
    'header_now',
  ]);
});

test('does not pair across title, path, context and content', () => {
  const { pairs } = documentTerms({ content: 'one two', title: 'three four', path: 'five/six' });
  assert.equal(pairs, ['on_two', 'three_four', 'five_six']);
});

test('asks for what is indexed, in any spelling', () => {
  const indexed = new Set(documentTerms({ content: 'def parse_http_header(line):' }).terms);
  for (const question of ['parseHttpHeader', 'http headers', 'PARSE_HTTP_HEADER', 'parsing']) {
    const { terms } = queryTerms(question);
    assert.ok(terms.length > 0 && terms.every((term) => indexed.has(term)), question);
  }
});

test('drops the words that only phrase a question, and keeps the verbs that code is full of', () => {
  assert.equal(queryTerms('How do I get and show all users?').terms, ['get', 'show', 'user']);
  assert.equal(queryTerms('What is the boiling point?'), {
    terms: ['boil', 'point'],
    pairs: ['boil_point'],
  });
});

test('keeps question words that are inside identifiers', () => {
  assert.ok(queryTerms('how_to').terms.includes('howto'));
});

test('is not left empty by its own stop list', () => {
  assert.equal(queryTerms('how does who').terms, ['how', 'doe', 'who']);
});

test('a document keeps the words that a question drops', () => {
  assert.ok(documentTerms({ content: 'What can you do?' }).terms.includes('what'));
});

test.run();
