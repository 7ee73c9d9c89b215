import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { normalizeArguments } from '../src/arguments.js';
import { grepTool } from '../src/tools/grep.js';
import { listTool } from '../src/tools/list.js';
import { readTool } from '../src/tools/read.js';
import { searchTool } from '../src/tools/search.js';

const test = suite('arguments of agents');
const argsOf = (tool: typeof searchTool, raw: Record<string, unknown>) =>
  normalizeArguments(tool, raw).args;

test('aliases and other spellings lead to the parameters of the tool', () => {
  assert.equal(argsOf(searchTool, { searchQuery: 'a', maxResults: '5', folder: 'b' }), {
    query: 'a',
    limit: 5,
    path: 'b',
  });
  assert.equal(argsOf(grepTool, { query: 'a', caseInsensitive: 'true', 'context-lines': 2.7 }), {
    pattern: 'a',
    ignore_case: true,
    context: 2,
  });
  assert.equal(argsOf(listTool, { directory: 'a', 'max-depth': 2 }), { path: 'a', depth: 2 });
});

test("a parameter's own name wins over its aliases, in any order", () => {
  assert.equal(argsOf(searchTool, { query: 'a', q: 'b' }), { query: 'a' });
  assert.equal(argsOf(searchTool, { q: 'b', query: 'a' }), { query: 'a' });
});

test('null means that an argument is missing', () => {
  assert.equal(argsOf(searchTool, { query: 'a', path: null, cursor: null }), { query: 'a' });
});

test('lists become the first and the further values', () => {
  assert.equal(argsOf(searchTool, { queries: ['a', 'b'] }), { query: 'a', more_queries: ['b'] });
  assert.equal(argsOf(readTool, { paths: ['a', 'b', 'c'] }), { uri: 'a', more_uris: ['b', 'c'] });
  assert.equal(argsOf(readTool, { uri: 'a', files: ['b'] }), { uri: 'a', more_uris: ['b'] });
});

test('unknown arguments are named and omitted, with names of prototypes too', () => {
  const { args, ignored } = normalizeArguments(searchTool, {
    query: 'a',
    constructor: 1,
    toString: 2,
    colour: 'red',
  });
  assert.equal(args, { query: 'a' });
  assert.equal(ignored, ['constructor', 'toString', 'colour']);
});

test('values whose meaning is unclear are left to the validation', () => {
  assert.equal(argsOf(searchTool, { query: 'a', limit: 'many' }), { query: 'a', limit: 'many' });
  assert.equal(argsOf(searchTool, { query: ['a', 'b'] }), { query: ['a', 'b'] });
});

test.run();
