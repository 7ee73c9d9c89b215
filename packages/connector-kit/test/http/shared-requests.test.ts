import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { SharedRequests } from '../../src/http/shared-requests.js';

const test = suite('requests that calls share');

test('keep a value, and a limited number of values', async () => {
  const requests = new SharedRequests<string>(60_000);
  const { signal } = new AbortController();
  const sent: string[] = [];
  const get = (key: string): Promise<string> =>
    requests.get(key, signal, async () => {
      sent.push(key);
      return key;
    });
  for (const key of ['first', 'first', 'second']) assert.is(await get(key), key);
  assert.equal(sent, ['first', 'second']);
  for (let number = 0; number < 999; number++) await get(String(number));
  sent.length = 0;
  for (const key of ['second', 'first']) assert.is(await get(key), key);
  assert.equal(sent, ['first']);
});

test.run();
