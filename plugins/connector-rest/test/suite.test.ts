import { randomUUID } from 'node:crypto';
import type { SourceRecord } from '@trove/core';
import type { ConnectorSubject } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import { suite } from 'uvu';

import plugin from '../src/index.js';
import { exampleConfig } from './example.js';
import { startStock, type Product, type Stock } from './stock-service.js';

const test = suite('conformance of a web API described in TOML');

function recordOf(product: Product): SourceRecord {
  const { id, name, description, updated_at: at, buyer, category, price, tags } = product;
  return {
    key: { id },
    fields: { category, price, tags },
    title: name,
    text: description,
    at: Date.parse(at),
    author: buyer.name,
    url: `https://stock.example.com/products/${id}`,
  };
}

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  const { stock, service } = await startStock();
  for (let id = 1; id <= 5; id++) stock.addProduct(id);
  stock.addSheet('s1', 'plain text.txt', 'first line\nsecond line\nthird line\n');
  stock.addSheet('s/2', '#1 100% ✨.txt', 'one\ntwo\nthree\n');
  try {
    const example = await exampleConfig(service.origin);
    await work(subjectOf(stock, { ...example, secrets: { token: 'good' } }));
  } finally {
    await service.stop();
  }
}

function subjectOf(stock: Stock, config: Readonly<Record<string, unknown>>): ConnectorSubject {
  const secret = `secret-${randomUUID()}`;
  const sheetAt = (path: string) =>
    [...stock.sheets.values()].find(({ name }) => path === `sheets/${name}`);
  return {
    plugin,
    target: 'rest://stock',
    config,
    refused: [
      {},
      { ...config, chek: { get: '/me' } },
      { ...config, base: 7 },
      { ...config, auth: { bearerer: 'token' } },
      { ...config, secrets: { token: 7 } },
    ],
    http: connectorHttp(),
    objects: [
      ...[...stock.sheets.values()].map(({ name, text }) => ({
        path: `sheets/${name}`,
        bytes: Buffer.from(text),
      })),
      { path: 'products', records: [...stock.products.values()].map(recordOf) },
    ],
    absent: 'sheets/nothing',
    change: async (path) => {
      const sheet = sheetAt(path);
      if (sheet === undefined) return;
      sheet.text += 'a fourth line\n';
      sheet.version++;
    },
    remove: async (path) => void stock.sheets.delete(sheetAt(path)?.id ?? ''),
    changeRecords: async () => {
      const [first, second] = stock.products.values();
      const now = new Date().toISOString();
      Object.assign(first ?? {}, { name: 'changed', updated_at: now });
      Object.assign(second ?? {}, { deleted: true, updated_at: now });
      stock.addProduct(99, { updated_at: now });
    },
    checkpoints: true,
    replaceCredential: async () => {
      stock.tokens.clear();
      stock.tokens.add('new');
      return { 'secrets.token': 'new' };
    },
    unreachable: { config: { ...config, secrets: { token: secret } } },
    secret,
  };
}

await testConformance(test, withSubject, [
  'addReply',
  'moveFolder',
  'browse',
  'stat',
  'grep',
  'watch',
  'since',
  'paths',
  'threads',
  'keysOnly',
  'coupled',
  'expireCursors',
  'expireAccess',
  'emptyTarget',
]);

test.run();
