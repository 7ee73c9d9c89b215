import type { JsonSchema } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { readEnvironment } from '../src/config/environment.js';
import { parseQuery } from '../src/http/query.js';
import { textValue } from '../src/text-value.js';

const test = suite('text values');

const autoOrInteger: JsonSchema = { anyOf: [{ const: 'auto' }, { type: 'integer' }] };

test('converts a text to the type', () => {
  for (const [schema, text, value] of [
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, '1', true],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'boolean' }, '0', false],
    [{ type: 'integer' }, '12', 12],
    [{ type: 'integer' }, '-3', -3],
    [{ type: 'number' }, '0.25', 0.25],
    [{ type: 'number' }, '-7', -7],
    [{ type: 'array' }, ' a, ,b ,', ['a', 'b']],
    [{ type: 'array' }, 'a', ['a']],
    [{ type: 'string' }, '12', '12'],
    [{}, 'true', 'true'],
    [autoOrInteger, '4', 4],
    [autoOrInteger, 'auto', 'auto'],
  ] as const) {
    assert.equal(textValue(text, schema), value, `${JSON.stringify(schema)} of ${text}`);
  }
});

test('an unconvertible text stays a string', () => {
  for (const [type, texts] of [
    ['boolean', ['', 'y', 'maybe', '2', ' true']],
    ['integer', ['', '1.5', '1e2', '0x10', ' 1', '+1', '1'.repeat(16)]],
    ['number', ['', '.5', '1.', '1e2', 'NaN', 'Infinity', '1,5']],
  ] as const) {
    for (const text of texts) assert.is(textValue(text, { type }), text, type);
  }
  assert.is(textValue('many', autoOrInteger), 'many');
});

test('booleans have any case, in the environment and in queries', () => {
  const { overrides } = readEnvironment({ TROVE_WORKER_IN_PROCESS: 'FALSE' });
  assert.equal(
    overrides.map(({ value }) => value),
    [false],
  );
  const schema: JsonSchema = { properties: { full: { type: 'boolean' } } };
  assert.equal(parseQuery('full=FALSE', schema), { full: false });
});

test.run();
