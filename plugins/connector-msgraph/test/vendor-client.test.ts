// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeGraph, type FakeGraph } from './fake.js';
import { host } from './fake/world.js';

type Json = Readonly<Record<string, unknown>>;
type HeaderTexts = Readonly<Record<string, string>>;

interface GraphCall {
  filter(condition: string): GraphCall;
  headers(headers: HeaderTexts): GraphCall;
  query(parameters: HeaderTexts): GraphCall;
  select(members: readonly string[]): GraphCall;
  top(count: number): GraphCall;
  get(): Promise<unknown>;
}

interface GraphClient {
  api(path: string): GraphCall;
}

interface GraphExchange {
  readonly request: string;
  readonly options: RequestInit;
  response?: Response;
}

interface Middleware {
  execute(exchange: GraphExchange): Promise<void>;
}

interface PageIterator {
  iterate(): Promise<void>;
  getDeltaLink(): string | undefined;
}

interface GraphModule {
  readonly Client: {
    initWithMiddleware(options: { readonly middleware: readonly Middleware[] }): GraphClient;
  };
  readonly MiddlewareFactory: {
    getDefaultMiddlewareChain(login: { getAccessToken(): Promise<string> }): readonly Middleware[];
  };
  readonly PageIterator: new (
    client: GraphClient,
    firstPage: unknown,
    onItem: (item: Json) => boolean,
    options: { readonly headers: HeaderTexts },
  ) => PageIterator;
}

interface Listing {
  readonly items: readonly Json[];
  readonly deltaLink: string;
}

const test = suite('the fake Microsoft Graph with its own client');
const missing = missingVendorClient('@microsoft/microsoft-graph-client');
/** The client logs in at this address only, and follows links over HTTPS only. */
const graphOrigin = 'https://graph.microsoft.com';

async function graphModule(): Promise<GraphModule> {
  return importVendorClient<GraphModule>('@microsoft/microsoft-graph-client');
}

/** Returns a client whose requests for Microsoft Graph reach the fake. */
async function clientOf({ service }: FakeGraph, token = 'token-1'): Promise<GraphClient> {
  const { Client, MiddlewareFactory } = await graphModule();
  const login = { getAccessToken: () => Promise.resolve(token) };
  const middleware = MiddlewareFactory.getDefaultMiddlewareChain(login).slice(0, -1);
  const sendToFake: Middleware = {
    async execute(exchange) {
      const url = exchange.request.replace(graphOrigin, service.origin);
      exchange.response = await fetch(url, exchange.options);
    },
  };
  return Client.initWithMiddleware({ middleware: [...middleware, sendToFake] });
}

/** Returns the items on all pages. */
async function itemsOf(
  client: GraphClient,
  call: GraphCall,
  headers: HeaderTexts = {},
): Promise<Listing> {
  const module = await graphModule();
  const items: Json[] = [];
  const onItem = (item: Json): boolean => items.push(item) > 0;
  const first = await call.headers(headers).get();
  const pages = new module.PageIterator(client, first, onItem, { headers });
  await pages.iterate();
  return { items, deltaLink: pages.getDeltaLink() ?? '' };
}

function valuesOf({ items }: Listing, member: string): readonly unknown[] {
  return items.map((item) => item[member]);
}

/** Returns the status and the code with which the service refuses a request. */
async function failureOf(call: GraphCall): Promise<readonly [status: unknown, code: unknown]> {
  return call.get().then(
    () => [200, 'none'],
    (error: unknown) => [Object(error).statusCode, Object(error).code],
  );
}

testUnless(missing, test)('pages through the changes of a drive, and reads a file', async () => {
  await using fake = await startFakeGraph(graphOrigin);
  const { own } = fake.world;
  const ids = Array.from(
    { length: 250 },
    (_, at) => own.create({ name: `${at}.txt`, content: `Grüße ${at}` }).id,
  );
  const [changed = '', removed = '', read = ''] = ids;
  const client = await clientOf(fake);
  const delta = client.api(`/drives/${own.id}/root/delta`).select(['id', 'name', 'deleted']);
  const all = await itemsOf(client, delta.top(100));
  assert.equal(valuesOf(all, 'id'), [own.rootId, ...ids]);
  assert.is(fake.service.exchanges.length, 3);
  own.edit(changed, { name: 'b.txt' });
  own.remove(removed);
  const changes = await itemsOf(client, client.api(all.deltaLink));
  assert.equal(valuesOf(changes, 'id'), [changed, removed]);
  assert.equal(valuesOf(changes, 'deleted'), [undefined, { state: 'deleted' }]);
  const content = await client.api(`/drives/${own.id}/items/${read}/content`).get();
  assert.is(content, 'Grüße 2');
  assert.is(fake.downloads.exchanges.length, 1);
});

testUnless(missing, test)('pages through the changes of a mail folder', async () => {
  await using fake = await startFakeGraph(graphOrigin);
  const { mail } = fake.world;
  const ids = Array.from({ length: 25 }, () => mail.deliver().id);
  const [moved = ''] = ids;
  const client = await clientOf(fake);
  const headers = { Prefer: 'odata.maxpagesize=10' };
  const inbox = client.api('/me/mailFolders/inbox/messages/delta').select(['id', 'subject']);
  const all = await itemsOf(client, inbox, headers);
  assert.equal(valuesOf(all, 'id'), ids);
  assert.is(fake.service.exchanges.length, 3);
  mail.move(moved, mail.deleted);
  const changes = await itemsOf(client, client.api(all.deltaLink), headers);
  assert.equal(changes.items, [{ id: moved, '@removed': { reason: 'changed' } }]);
});

testUnless(missing, test)(
  'lists mail folders, finds a conversation and reads a message',
  async () => {
    await using fake = await startFakeGraph(graphOrigin);
    const { mail } = fake.world;
    const folder = mail.addFolder('Travel', mail.inbox);
    const first = mail.deliver({ text: 'Grüße' });
    const reply = mail.deliver({ replyTo: first, folder });
    mail.deliver();
    const client = await clientOf(fake);
    const folders = await itemsOf(client, client.api('/me/mailFolders').top(2));
    assert.equal(valuesOf(folders, 'id'), [mail.inbox, mail.deleted, mail.junk]);
    const children = await itemsOf(
      client,
      client.api(`/me/mailFolders/${mail.inbox}/childFolders`),
    );
    assert.equal(valuesOf(children, 'displayName'), ['Travel']);
    const quoted = first.conversationId.replaceAll("'", "''");
    const conversation = client
      .api('/users/ann@contoso.com/messages')
      .filter(`conversationId eq '${quoted}'`);
    assert.equal(valuesOf(await itemsOf(client, conversation), 'id'), [first.id, reply.id]);
    assert.is(await client.api(`/me/messages/${first.id}/$value`).get(), first.raw);
  },
);

testUnless(missing, test)('finds sites and their libraries', async () => {
  await using fake = await startFakeGraph(graphOrigin);
  const { world } = fake;
  const sites = ['Team', 'Sales', 'Legal'].map((name) => world.addSite(`sites/${name}`, name));
  const [site] = sites;
  if (site !== undefined) for (const name of ['Documents', 'Files']) world.addDrive(name, site);
  const client = await clientOf(fake);
  const found = await itemsOf(client, client.api('/sites').query({ search: '*' }));
  assert.equal(
    valuesOf(found, 'id'),
    sites.map(({ id }) => id),
  );
  const { id } = Object(await client.api(`/sites/${host}:/sites/Team`).get());
  assert.is(id, site?.id);
  const libraries = await itemsOf(client, client.api(`/sites/${id}/drives`));
  assert.equal(valuesOf(libraries, 'name'), ['Documents', 'Files']);
});

testUnless(missing, test)('repeats limited requests, and understands errors', async () => {
  await using fake = await startFakeGraph(graphOrigin);
  const { world, service, model } = fake;
  const { own } = world;
  const client = await clientOf(fake);
  const drive = `/drives/${own.id}`;
  service.addFault(rateLimitFault(model, () => true, 0));
  const { deltaLink } = await itemsOf(client, client.api(`${drive}/root/delta`));
  assert.equal(
    service.exchanges.map(({ status }) => status),
    [429, 200],
  );
  const none = client.api('/drives/none/root/delta');
  assert.equal(await failureOf(none), [404, 'itemNotFound']);
  own.expireLinks();
  assert.equal(await failureOf(client.api(deltaLink)), [410, 'resyncRequired']);
  own.failure = 423;
  assert.equal(await failureOf(client.api(drive)), [423, 'resourceLocked']);
  world.permissions.clear();
  assert.equal(await failureOf(client.api('/me/drive')), [403, 'accessDenied']);
  assert.equal(await failureOf(client.api('/me/mailFolders')), [403, 'ErrorAccessDenied']);
  const refused = await clientOf(fake, 'old');
  const code = 'InvalidAuthenticationToken';
  assert.equal(await failureOf(refused.api('/me/drive')), [401, code]);
});

test.run();
