import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { parseSymbolName } from '../src/query/symbols/symbol-name.js';

const test = suite('names of symbols in texts');

const cases: readonly (readonly [text: string, name: string, container?: string])[] = [
  ['parse', 'parse'],
  ['parse()', 'parse'],
  ['parse(text, options)', 'parse'],
  ['  `parse`  ', 'parse'],
  ['func parse', 'parse'],
  ['def parse_header(self):', 'parse_header'],
  ['export async function parse(', 'parse'],
  ['class Box', 'Box'],
  ['func (r *Reader) Read(p []byte)', 'Read'],
  ['Box.open', 'open', 'Box'],
  ['std::Box::open()', 'open', 'Box'],
  ['#secret', 'secret'],
  ['where is parse defined', 'parse'],
  ['where is find defined?', 'find'],
  ['Where is the function `parse` implemented?', 'parse'],
  ['where is class Box declared', 'Box'],
  ['definition of parse_header', 'parse_header'],
  ['which file defines parseHeader', 'parseHeader'],
  ['how does parseHeader work', 'parseHeader'],
  ['parse function', 'parse'],
  ['func', 'func'],
];

test('finds the name in names, signatures and questions', () => {
  for (const [text, name, container = null] of cases)
    assert.equal(parseSymbolName(text), { name, container }, text);
});

test('finds no name in other texts', () => {
  for (const text of ['???', '12', '"-"']) assert.is(parseSymbolName(text), null, text);
});

test('a hostile text takes little time', () => {
  const start = performance.now();
  for (const unit of ['a.', 'func ', '(', 'is ', 'a ', '`'])
    parseSymbolName(unit.repeat(Math.floor(1000 / unit.length)));
  assert.ok(performance.now() - start < 500);
});

test.run();
