import { isTroveError } from '@trove/core';
import { listen } from '@trove/test-support/listen.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { connectorContext } from '../src/index.js';

const test = suite('context of a connector under test');

test('its requests are retried, named and limited as in the engine', async () => {
  const agents: (string | undefined)[] = [];
  const statuses = [503, 200, 429];
  const server = await listen((request, response) => {
    agents.push(request.headers['user-agent']);
    const status = statuses.shift() ?? 500;
    response.writeHead(status, status === 429 ? { 'retry-after': '3600' } : {}).end('text');
  });
  try {
    const { http } = connectorContext({ target: 'notes://mine', config: {} });
    assert.is((await http(server.origin)).status, 200);
    assert.equal(agents, ['Trove (connector notes)', 'Trove (connector notes)']);
    const error = await http(server.origin).catch((thrown: unknown) => thrown);
    assert.ok(isTroveError(error));
    assert.equal([error.code, error.retryAfterMs], ['rate_limited', 3_600_000]);
  } finally {
    await server.stop();
  }
});

test('an unknown error code names the connector', () => {
  const { error } = connectorContext({ target: 'notes://mine', config: {} });
  const misspelt: string = 'not_fuond';
  const made = error(misspelt as 'not_found', 'Gone.');
  assert.is(made.code, 'plugin_invalid');
  assert.match(made.message, 'connector notes: context.error: there is no error code `not_fuond`');
});

test.run();
