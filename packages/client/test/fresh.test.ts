import { readdirSync, readFileSync } from 'node:fs';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { operationsOf } from '../scripts/generator/document.js';
import { GENERATED, generateClient, readDocument } from '../scripts/generator/index.js';
import { TroveClient } from '../src/index.js';

const test = suite('the generated client');

test('equals what the OpenAPI document gives', async () => {
  const expected = await generateClient(readDocument());
  assert.equal(readdirSync(GENERATED).sort(), [...expected.keys()].sort());
  for (const [name, code] of expected) {
    const checkedIn = readFileSync(new URL(name, GENERATED), 'utf8');
    assert.is(checkedIn, code, `${name}: run "npm run generate -w @trove/client"`);
  }
});

test('has a method for every operation, in the group of its tag', () => {
  const client = new TroveClient();
  const groups: Readonly<Record<string, object>> = {
    Browse: client.browse,
    Connectors: client.connectors,
    Ingest: client.ingest,
    Retrieval: client.retrieval,
    Server: client.server,
  };
  const operations = operationsOf(readDocument());
  assert.ok(operations.length >= 18);
  for (const { operation } of operations) {
    const { operationId = '', tags = [] } = operation;
    const method: unknown = Reflect.get(groups[tags[0] ?? ''] ?? {}, operationId);
    assert.type(method, 'function', `${tags[0]}.${operationId}`);
  }
});

test.run();
