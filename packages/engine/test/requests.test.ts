import { isTroveError } from '@trove/core';
import { searchQuerySchema, targetQuerySchema, type Engine } from '@trove/engine';
import { acceptRequest } from '@trove/runtime';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { World } from './support/engine.js';

const test = suite('requests');

test('an accepted request is passed on unchanged and frozen', () => {
  const once = acceptRequest(searchQuerySchema, { q: 'x', top_k: 3 }, 'query');
  assert.is(acceptRequest(searchQuerySchema, once), once);
  assert.is(once.mode, 'hybrid');
  assert.throws(() => Object.assign(once, { top_k: -1 }), /read only/);
});

test('a copy of a request, or another schema, is validated again', () => {
  const once = acceptRequest(searchQuerySchema, { q: 'x' });
  assert.throws(
    () => acceptRequest(searchQuerySchema, { ...once, top_k: 0 }, 'query'),
    /^query\.top_k: must be >= 1$/,
  );
  assert.throws(() => acceptRequest(targetQuerySchema, once), /target: is required/);
});

/** A caller without types. */
function ask(engine: Engine, operation: string, ...rest: unknown[]): Promise<unknown> {
  const method: unknown = Reflect.get(engine, operation);
  if (typeof method !== 'function') throw new Error(`no operation ${operation}`);
  return Reflect.apply(method, engine, rest);
}

test('every operation rejects an invalid request', async () => {
  await using engine = await new World().open();
  const withoutRequest =
    'serverInfo status ready exportSources tokens compact statistics startWorker startAlerts close';
  const forHosts = 'restrictTo canonicalUris authenticate redact';
  const without = `${withoutRequest} ${forHosts}`.split(' ');
  const operations = Object.entries(engine).flatMap(([name, member]) =>
    typeof member === 'function' && !without.includes(name) ? [name] : [],
  );
  assert.ok(operations.length > 12);
  for (const operation of operations) {
    for (const request of [7, [], null, { nonsense: 1 }]) {
      const code = await ask(engine, operation, request).then(
        () => 'none',
        (error: unknown) => (isTroveError(error) ? error.code : String(error)),
      );
      assert.is(code, 'validation_error', `${operation} ${JSON.stringify(request)}`);
    }
  }
});

test.run();
