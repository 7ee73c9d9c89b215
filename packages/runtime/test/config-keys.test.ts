import { isTroveError, type TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { resolveConfig } from '../src/plugins/config.js';

const test = suite('keys and values of configurations');

async function refusal(work: Promise<unknown>): Promise<TroveError> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!isTroveError(error)) throw new Error('it was not refused');
  return error;
}

test('refuses a key of mfs with its replacement', async () => {
  const rules = {
    type: 'array',
    items: { type: 'object', properties: { render: {} }, additionalProperties: false },
  } as const;
  const schema = {
    type: 'object',
    properties: { endpoint: { type: 'string' }, objects: rules },
  } as const;
  const given = {
    endpoint_url: 'https://s3.example',
    objects: [{ render_template: '{a}', rendr: '' }],
  };
  const { code, suggestions } = await refusal(resolveConfig(schema, given));
  assert.is(code, 'config_invalid');
  assert.equal(suggestions, [
    '`endpoint_url`: Write `endpoint`.',
    '`render_template`: Write `render`, with fields in double braces: {{title}}.',
    'Did you mean `render`?',
  ]);
});

test('accepts a host name or an IP address as a host', async () => {
  const schema = {
    type: 'object',
    properties: { host: { type: 'string', format: 'host' } },
  } as const;
  for (const host of ['db.example.org', 'shop_db_1', '127.0.0.1', '::1', '::ffff:10.0.0.1'])
    assert.equal((await resolveConfig(schema, { host })).config, { host });
  for (const host of ['', 'db:5432', 'http://db', 'a b', 'user@db', 'a,b'])
    assert.match((await refusal(resolveConfig(schema, { host }))).detail, /^config\.host: /);
});

test.run();
