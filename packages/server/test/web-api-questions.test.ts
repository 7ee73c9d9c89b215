// test-timeout: 300
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  startFakeService,
  type FakeAnswer,
  type FakeRequest,
} from '@trove/connector-kit/http/fake';
import { testUnless } from '@trove/test-support/skips.js';
import { hasTerminal, keys, Terminal } from './support/terminal.js';

const test = suite('trove-server connector add rest');

function answer({ headers, query }: FakeRequest): FakeAnswer {
  if (headers['authorization'] !== 'Bearer good') return { status: 401, json: {} };
  if (query.has('since')) return { json: { items: [] } };
  const item = {
    id: 7,
    name: 'A rope',
    details: 'It is made of hemp and tar',
    updated: '2026-01-01',
  };
  return { json: { items: [item], next: null } };
}

testUnless(hasTerminal ? null : '`script`, which makes a terminal, is not installed', test)(
  'proposes a description, writes it as TOML and registers the source',
  async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'trove-web-api-')));
    await using api = await startFakeService({
      answer,
      rateLimited: () => ({ status: 429 }),
      unauthorized: () => ({ status: 401 }),
    });
    const env = { HOME: root, TROVE_HOME: join(root, 'home'), STOCK_TOKEN: 'good' };
    const terminal = new Terminal(['connector', 'add', 'rest'], root, env);
    try {
      await terminal.answer('Address: rest://', 'stock', keys.enter);
      await terminal.answer('Address of a list', `${api.origin}/v1/products`, keys.enter);
      await terminal.answer('How do requests log in?', keys.enter);
      await terminal.answer('Where is the token?', keys.enter);
      await terminal.answer('Name of the variable', 'STOCK_TOKEN', keys.enter);
      for (const question of [
        'Key that identifies an item',
        'Title',
        'Text to search',
        'Time of the last change',
        'Author',
        'Address of a page',
        'How does the list continue?',
        'How does a later sync',
      ])
        await terminal.answer(question, keys.enter);
      await terminal.answer('Write the configuration to a file', keys.enter);
      await terminal.answer('Register and index the source?', keys.enter);
      assert.is(await terminal.exited, 0, terminal.shown);
      assert.match(terminal.shown, 'Registered rest://stock');
      const file = await readFile(join(root, 'stock.toml'), 'utf8');
      const written = JSON.parse(JSON.stringify(parse(file)));
      assert.equal(written.secrets, { token: 'env:STOCK_TOKEN' });
      assert.equal(written.streams.products.record, {
        title: 'name',
        text: 'details',
        at: 'updated',
      });
    } finally {
      terminal.kill();
      await rm(root, { recursive: true, force: true });
    }
  },
);

test.run();
