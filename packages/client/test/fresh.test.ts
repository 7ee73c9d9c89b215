import { readdirSync, readFileSync } from 'node:fs';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { operationsOf } from '../scripts/generator/document.js';
import { generateClients, readDocument } from '../scripts/generator/index.js';
import { TroveClient } from '../src/index.js';

const test = suite('the generated clients');

test('equal the output of the generator', async () => {
  const clients = await generateClients(readDocument());
  assert.is(clients.length, 2);
  for (const { folder, files } of clients) {
    const present = readdirSync(folder).filter((name) => name !== '__pycache__');
    assert.equal(present.sort(), [...files.keys()].sort());
    for (const [name, code] of files) {
      const checkedIn = readFileSync(new URL(name, folder), 'utf8');
      assert.is(checkedIn, code, `${name}: run "npm run generate"`);
    }
  }
});

test('have a method for every operation in the group of its tag', () => {
  const client = new TroveClient();
  const groups: Readonly<Record<string, object>> = {
    Access: client.access,
    Browse: client.browse,
    Connectors: client.connectors,
    Graph: client.graph,
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

test('have one version', () => {
  const at = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(at('../package.json'));
  assert.match(at('../../client-python/pyproject.toml'), `\nversion = "${version}"\n`);
  assert.is(readDocument().info.version, version);
});

test.run();
