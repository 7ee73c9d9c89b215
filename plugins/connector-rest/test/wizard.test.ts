import type { Questions } from '@trove/core';
import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import {
  startFakeService,
  type FakeAnswer,
  type FakeRequest,
  type FakeService,
} from '@trove/connector-kit/http/fake';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import plugin from '../src/index.js';
import { neverAborted, openSource, type Config } from './open.js';

const test = suite('questions about a web API');

/** A person who accepts all proposals except where a question has one of the answers. */
class Person implements Questions {
  readonly heard: string[] = [];
  readonly #answers: Map<string, string[]>;

  constructor(answers: Readonly<Record<string, readonly string[]>>) {
    this.#answers = new Map(Object.entries(answers).map(([text, given]) => [text, [...given]]));
  }

  async text(
    message: string,
    {
      initial = '',
      check,
    }: { initial?: string; check?: (text: string) => string | undefined } = {},
  ): Promise<string> {
    const answer = this.#answerTo(message) ?? initial;
    assert.is(check?.(answer), undefined, message);
    return answer;
  }

  async secret(message: string): Promise<{ given: string; value: string }> {
    return { given: 'env:STOCK_TOKEN', value: this.#answerTo(message) ?? 'good' };
  }

  async choose<T extends string>(
    message: string,
    choices: readonly { readonly value: T }[],
    initial?: T,
  ): Promise<T> {
    const answer = this.#answerTo(message);
    const chosen =
      answer === undefined ? initial : choices.find(({ value }) => value === answer)?.value;
    const [first] = choices;
    const value = chosen ?? first?.value;
    if (value === undefined) throw new Error(`${message} has no choices`);
    return value;
  }

  async several<T extends string>(
    message: string,
    choices: readonly { readonly value: T }[],
    initial: readonly T[] = [],
  ): Promise<T[]> {
    const answer = this.#answerTo(message);
    return answer === undefined
      ? [...initial]
      : choices.map(({ value }) => value).filter((value) => answer.split(',').includes(value));
  }

  say(text: string): void {
    this.heard.push(text);
  }

  warn(text: string): void {
    this.heard.push(text);
  }

  #answerTo(message: string): string | undefined {
    this.heard.push(message);
    const [, answers] = [...this.#answers].find(([text]) => message.includes(text)) ?? [];
    return answers?.shift();
  }
}

async function ask(person: Person): Promise<Config> {
  const signal = neverAborted();
  const context = { target: 'rest://stock', http: connectorHttp(), signal };
  const config = await plugin.askConfig?.(person, context);
  if (config === undefined) throw new Error('It asks nothing.');
  return config;
}

async function withApi(
  answer: (request: FakeRequest) => FakeAnswer,
  use: (service: FakeService) => Promise<void>,
): Promise<void> {
  await using service = await startFakeService({
    answer,
    rateLimited: () => ({ status: 429 }),
    unauthorized: () => ({ status: 401 }),
  });
  await use(service);
}

const products = [1, 2, 3].map((id) => ({
  id,
  name: `Product ${id}`,
  description: `A rope of ${id} metres and more`,
  updated_at: `2026-01-0${id}T00:00:00Z`,
  category: 'ropes',
  supplier: { title: 'Rope Inc' },
}));

/** An API with a login, a cursor and a parameter for changes. */
function answerProducts({ headers, query }: FakeRequest): FakeAnswer {
  if (headers['authorization'] !== 'Bearer good') return { status: 401, json: {} };
  const since = query.get('updated_since') ?? '';
  const all = products.filter(({ updated_at: at }) => at >= since);
  const start = Number(query.get('cursor') ?? 0);
  const next = start + 2 < all.length ? String(start + 2) : null;
  return { json: { data: all.slice(start, start + 2), meta: { next_cursor: next } } };
}

test('makes a working source of accepted proposals', () =>
  withApi(answerProducts, async ({ origin }) => {
    const address = `${origin}/v1/products?limit=2`;
    const config = await ask(new Person({ Address: [address] }));
    const request = { get: '/v1/products', query: { limit: '2' } };
    assert.equal(config, {
      base: origin,
      auth: { bearer: 'token' },
      secrets: { token: 'env:STOCK_TOKEN' },
      check: request,
      streams: {
        products: {
          ...request,
          page: { by: 'cursor', from: 'meta.next_cursor', send: 'query.cursor' },
          items: 'data',
          in: 'products',
          key: 'id',
          record: {
            title: 'name',
            text: 'description',
            at: 'updated_at',
            fields: ['category', 'supplier.title'],
          },
          incremental: {
            by: 'since',
            send: { query: { updated_since: '{since}' } },
            overlap: '10m',
          },
        },
      },
    });
    const connector = await openSource({ ...config, secrets: { token: 'good' } });
    const records = await collect(connector.records?.('products', { signal: neverAborted() }));
    assert.is(records.length, 3);
    await connector.close?.();
  }));

test('uses changed proposals', () =>
  withApi(answerProducts, async ({ origin }) => {
    const config = await ask(
      new Person({
        'Address of a list': [`${origin}/v1/products`],
        Title: ['(other)', 'supplier.title'],
        Author: ['(none)'],
        'Values to show': ['category'],
        'How does a later sync': ['none'],
      }),
    );
    const streams = JSON.parse(JSON.stringify(config['streams']));
    assert.equal(streams.products.record, {
      title: 'supplier.title',
      text: 'description',
      at: 'updated_at',
      fields: ['category'],
    });
    assert.is(streams.products.incremental, undefined);
  }));

test('asks for the login again if the API refuses it', () =>
  withApi(answerProducts, async ({ origin }) => {
    const person = new Person({
      Address: [`${origin}/v1/products`],
      'Where is the token': ['wrong', 'good'],
    });
    await ask(person);
    assert.ok(person.heard.some((text) => text.includes('refuses this login')));
  }));

test('asks for another address after a page for people', () =>
  withApi(
    (request) =>
      request.path === '/v1/products'
        ? answerProducts(request)
        : { body: '<html>', headers: { 'content-type': 'text/html' } },
    async ({ origin }) => {
      const person = new Person({ Address: [`${origin}/`, `${origin}/v1/products`] });
      const config = await ask(person);
      assert.is(config['base'], origin);
      assert.ok(person.heard.some((text) => text.includes('in place of JSON')));
    },
  ));

test('moves a key in the address into the login', () =>
  withApi(
    ({ query }) =>
      query.get('api_key') === 'good' ? { json: products } : { status: 401, json: {} },
    async ({ origin }) => {
      const config = await ask(new Person({ Address: [`${origin}/products?api_key=good`] }));
      assert.equal(config['auth'], { query: { name: 'api_key', value: '{secret.key}' } });
      assert.equal(config['check'], { get: '/products' });
      const connector = await openSource({ ...config, secrets: { key: 'good' } });
      assert.is((await connector.check?.({ signal: neverAborted() }))?.ok, true);
      await connector.close?.();
    },
  ));

test('describes an empty list with the paths that the person enters', () =>
  withApi(
    () => ({ json: { items: [] } }),
    async ({ origin }) => {
      const person = new Person({ Address: [`${origin}/v1/config`], Key: ['uuid'] });
      const config = await ask(person);
      assert.ok(person.heard.some((text) => text.includes('list is empty')));
      assert.equal(config['streams'], {
        config_items: {
          get: '/v1/config',
          items: 'items',
          in: 'config_items',
          key: 'uuid',
          record: {},
        },
      });
      await (await openSource(config)).close?.();
    },
  ));

test.run();
