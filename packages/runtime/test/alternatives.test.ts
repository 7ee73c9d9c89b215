import { isTroveError, type JsonSchema } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { validateOnce } from '../src/validation.js';

const test = suite('errors of alternatives in a schema');

const text: JsonSchema = { type: 'string' };

function table(properties: Readonly<Record<string, JsonSchema>>, required: string[]): JsonSchema {
  return { type: 'object', additionalProperties: false, properties, required };
}

const schema: JsonSchema = {
  type: 'object',
  properties: {
    page: {
      anyOf: [
        { type: 'string', enum: ['none', 'link'] },
        table({ by: { const: 'next' }, from: text }, ['by', 'from']),
        table({ by: { const: 'cursor' }, from: text, send: text }, ['by', 'from', 'send']),
      ],
    },
    auth: {
      anyOf: [
        { const: 'none' },
        table({ bearer: text }, ['bearer']),
        table({ header: table({ name: text, value: text }, ['name', 'value']) }, ['header']),
      ],
    },
    streams: {
      type: 'object',
      additionalProperties: { anyOf: [text, { type: 'array', items: text }] },
    },
  },
};

function refusal(value: unknown): { readonly detail: string; readonly hints: readonly string[] } {
  try {
    validateOnce(schema, value, 'config', 'config_invalid');
  } catch (error) {
    if (isTroveError(error)) return { detail: error.detail, hints: error.suggestions };
    throw error;
  }
  throw new Error('the value was accepted');
}

for (const { title, value, detail } of [
  {
    title: 'reports what the alternative with the same constant lacks',
    value: { page: { by: 'cursor', from: 'next' } },
    detail: 'config.page.send: is required',
  },
  {
    title: 'lists the constants if none is the given one',
    value: { page: { by: 'cursr', from: 'next' } },
    detail: 'config.page.by: must be one of next, cursor',
  },
  {
    title: 'lists the allowed texts for another text',
    value: { page: 'links' },
    detail: 'config.page: must be one of none, link',
  },
  {
    title: 'reports the alternative with the fewest errors',
    value: { auth: { header: { name: 'X' } } },
    detail: 'config.auth.header.value: is required',
  },
  {
    title: 'reports only what all alternatives refuse',
    value: { auth: { heder: { name: 'X' } } },
    detail: 'config.auth.heder: is not known',
  },
  {
    title: 'names the types of all alternatives for another type',
    value: { streams: { items: 5 } },
    detail: 'config.streams.items: must be string or array',
  },
  {
    title: 'keeps values with the same schema apart',
    value: { streams: { items: 5, users: [7], files: 'a' } },
    detail: 'config.streams.items: must be string or array; config.streams.users.0: must be string',
  },
])
  test(title, () => assert.is(refusal(value).detail, detail));

test('suggests a name of any alternative', () => {
  assert.equal(refusal({ auth: { heder: {} } }).hints, ['Did you mean `header`?']);
});

test.run();
