// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeFeishu, type FakeFeishu } from './fake.js';

type Members = Readonly<Record<string, unknown>>;

interface FeishuAnswer {
  readonly code: number;
  readonly data?: Members;
}

interface FeishuPayload {
  readonly params?: Members;
  readonly path?: Members;
  readonly data?: Members;
}

type FeishuCall = (payload: FeishuPayload) => Promise<FeishuAnswer>;
type FeishuListing = (payload: FeishuPayload) => Promise<AsyncIterable<Members>>;

interface FeishuClient {
  readonly im: {
    readonly chat: { readonly list: FeishuCall; readonly listWithIterator: FeishuListing };
    readonly message: { readonly list: FeishuCall; readonly listWithIterator: FeishuListing };
  };
  readonly wiki: {
    readonly space: { readonly getNode: FeishuCall; readonly listWithIterator: FeishuListing };
    readonly spaceNode: { readonly listWithIterator: FeishuListing };
  };
  readonly drive: {
    readonly file: { readonly listWithIterator: FeishuListing };
    readonly meta: { readonly batchQuery: FeishuCall };
  };
  readonly docx: { readonly document: { readonly rawContent: FeishuCall } };
}

interface FeishuModule {
  readonly Client: new (options: Members) => FeishuClient;
}

const test = suite('the fake Feishu with its own client');
const missing = missingVendorClient('@larksuiteoapi/node-sdk');

function ignore(): void {}

const quietLogger = { error: ignore, warn: ignore, info: ignore, debug: ignore, trace: ignore };

/** Returns a client that keeps no token. Its own cache is shared by all clients of the process. */
async function clientOf({ service }: FakeFeishu, appSecret = 'secret-1'): Promise<FeishuClient> {
  const { Client } = await importVendorClient<FeishuModule>('@larksuiteoapi/node-sdk');
  const cache = { get: () => Promise.resolve(), set: () => Promise.resolve(true) };
  const options = { appId: 'cli_1', appSecret, domain: service.origin, logger: quietLogger };
  return new Client({ ...options, cache });
}

/** Returns a member of the items on all pages. */
async function valuesOf(
  pages: Promise<AsyncIterable<Members>>,
  member: string,
  list = 'items',
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const page of await pages) {
    const { [list]: items } = page;
    for (const item of Array.isArray(items) ? items : []) found.push(item[member]);
  }
  return found;
}

/** Returns the code with which the service refuses a request, with or without an error of HTTP. */
async function codeOf(work: Promise<FeishuAnswer>): Promise<unknown> {
  return work.then(
    ({ code }) => code,
    (error: unknown) => Object(error).response.data.code,
  );
}

testUnless(missing, test)('pages through chats, messages and topics', async () => {
  await using fake = await startFakeFeishu();
  const { world } = fake;
  const chats = Array.from({ length: 45 }, (_, at) => world.addChat(`Chat ${at}`).id);
  const [chat = ''] = chats;
  const roots = Array.from({ length: 120 }, (_, at) => world.post(chat, `Text ${at}`));
  const [root] = roots;
  const reply = world.post(chat, 'Hi', { root: root?.id ?? '', inTopic: true });
  const { im } = await clientOf(fake);
  assert.equal(await valuesOf(im.chat.listWithIterator({}), 'chat_id'), chats);
  const messagesIn = (type: string, id: string | null): Promise<readonly unknown[]> => {
    const params = { container_id_type: type, container_id: id, page_size: 50 };
    return valuesOf(im.message.listWithIterator({ params }), 'message_id');
  };
  assert.equal(
    await messagesIn('chat', chat),
    roots.map(({ id }) => id),
  );
  assert.equal(await messagesIn('thread', reply.thread), [root?.id, reply.id]);
});

testUnless(missing, test)('pages through a wiki and a folder, and reads a document', async () => {
  await using fake = await startFakeFeishu();
  const { world } = fake;
  const spaces = Array.from({ length: 25 }, (_, at) => world.addSpace(`Space ${at}`).id);
  const [space = ''] = spaces;
  const parent = world.addPage({ title: 'Parent', content: 'Grüße', space });
  const titles = Array.from({ length: 25 }, (_, at) => `Page ${at}`);
  for (const title of titles) world.addPage({ title, space, parent: parent.token });
  const folder = world.addPage({ title: 'Folder', type: 'folder' });
  for (const title of titles) world.addPage({ title, parent: folder.token });
  const { wiki, drive, docx } = await clientOf(fake);
  assert.equal(await valuesOf(wiki.space.listWithIterator({}), 'space_id'), spaces);
  const children = wiki.spaceNode.listWithIterator({
    path: { space_id: space },
    params: { parent_node_token: parent.token },
  });
  assert.equal(await valuesOf(children, 'title'), titles);
  const files = drive.file.listWithIterator({ params: { folder_token: folder.token } });
  assert.equal(await valuesOf(files, 'name', 'files'), titles);
  const { data: found } = await wiki.space.getNode({ params: { token: parent.token } });
  assert.is(Object(found?.['node']).obj_token, parent.objToken);
  const path = { document_id: parent.objToken };
  const { data: content } = await docx.document.rawContent({ path });
  assert.equal(content, { content: 'Grüße' });
});

testUnless(missing, test)('states which documents it has no facts about', async () => {
  await using fake = await startFakeFeishu();
  const { objToken } = fake.world.addPage({ title: 'Page' });
  const { drive } = await clientOf(fake);
  const documents = [objToken, 'dox99'].map((token) => ({ doc_token: token, doc_type: 'docx' }));
  const { data } = await drive.meta.batchQuery({ data: { request_docs: documents } });
  const { metas, failed_list: failed } = Object(data);
  assert.equal([metas.length, metas[0].title], [1, 'Page']);
  assert.equal(failed, [{ token: 'dox99', code: 970005 }]);
});

testUnless(missing, test)('understands errors with and without a status of HTTP', async () => {
  await using fake = await startFakeFeishu();
  const { world, service, model } = fake;
  const { im, wiki } = await clientOf(fake);
  const { id } = world.addChat('General');
  world.leftChats.add(id);
  const isListing = ({ path }: { readonly path: string }): boolean => path.endsWith('/chats');
  for (const status of [200, 400] as const) {
    world.errorStatus = status;
    assert.is(await codeOf(wiki.space.getNode({ params: { token: 'none' } })), 131005);
    const params = { container_id_type: 'chat', container_id: id };
    assert.is(await codeOf(im.message.list({ params })), 230002);
    service.addFault({ matches: isListing, apply: (request) => model.unauthorized(request) });
    assert.is(await codeOf(im.chat.list({})), 99991663);
    service.addFault(rateLimitFault(model, isListing, 1000));
    assert.is(await codeOf(im.chat.list({})), 99991400);
    world.scopes.delete('im:chat');
    assert.is(await codeOf(im.chat.list({})), 99991672);
    world.scopes.add('im:chat');
  }
  world.errorStatus = 200;
  const refused = await clientOf(fake, 'wrong');
  const message = await refused.im.chat.list({}).then(
    () => 'none',
    (error: unknown) => String(error),
  );
  assert.match(message, 'code: 10014');
});

test.run();
