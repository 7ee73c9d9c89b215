import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { skipReason, testUnless } from '@trove/test-support/skips.js';
import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { startFakeFeishu, type FakeFeishu } from './fake.js';

const test = suite('the fake Feishu');
const noSchemas = missingSchemas === null ? null : skipReason(missingSchemas);

interface Got {
  readonly status: number;
  readonly json: { readonly code?: number; readonly data?: Readonly<Record<string, unknown>> };
}

async function send(fake: FakeFeishu, path: string, body?: unknown): Promise<Got> {
  const [token = fake.world.issueToken()] = fake.world.tokens;
  const response = await fetch(`${fake.service.origin}/open-apis${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const json: unknown = await response.json();
  return { status: response.status, json: Object(json) };
}

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeFeishu();
  const { world, service, model } = fake;
  const chat = world.addChat('General');
  const root = world.post(chat.id, 'Hello');
  const reply = world.post(chat.id, 'Hi', { root: root.id, inTopic: true });
  world.recall(world.post(chat.id, 'Wrong').id);
  const { id: space } = world.addSpace('Handbook');
  const page = world.addPage({ title: 'Page', content: 'text', space });
  world.addPage({ title: 'Child', space, parent: page.token });
  const folder = world.addPage({ title: 'Folder', type: 'folder' });
  world.addPage({ title: 'File', parent: folder.token });
  world.addPage({ title: 'Other', parent: folder.token });
  const login = { app_id: 'cli_1', app_secret: 'secret-1' };
  const tokenPath = '/auth/v3/tenant_access_token/internal';
  const metas = (doc_token: string): object => ({
    request_docs: [{ doc_token, doc_type: 'docx' }],
  });
  const metasPath = '/drive/v1/metas/batch_query';
  const requests: readonly (readonly [path: string, body?: object])[] = [
    [tokenPath, login],
    ['/im/v1/chats?page_size=1'],
    [`/im/v1/messages?container_id_type=chat&container_id=${chat.id}&page_size=1`],
    [`/im/v1/messages?container_id_type=thread&container_id=${reply.thread}`],
    ['/wiki/v2/spaces'],
    [`/wiki/v2/spaces/${space}/nodes`],
    [`/wiki/v2/spaces/${space}/nodes?parent_node_token=${page.token}`],
    [`/wiki/v2/spaces/get_node?token=${page.token}`],
    [`/drive/v1/files?folder_token=${folder.token}&page_size=1`],
    [metasPath, metas(page.objToken)],
    [metasPath, metas('dox99')],
    [`/docx/v1/documents/${page.objToken}/raw_content`],
  ];
  for (const [path, body] of requests) {
    const { status, json } = await send(fake, path, body);
    assert.equal([status, json.code], [200, 0], path);
  }
  // Errors
  for (const errorStatus of [200, 400] as const) {
    world.errorStatus = errorStatus;
    await send(fake, tokenPath, { ...login, app_secret: 'wrong' });
    await send(fake, '/wiki/v2/spaces/get_node?token=none');
    await send(fake, '/docx/v1/documents/none/raw_content');
    for (const answer of [model.unauthorized, (request: never) => model.rateLimited(request, 1000)])
      service.addFault({ matches: () => true, apply: (request) => answer(Object(request)) });
    await send(fake, '/im/v1/chats');
    await send(fake, '/im/v1/chats');
    world.scopes.delete('im:chat');
    await send(fake, '/im/v1/chats');
  }
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'feishu');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('lists the replies of topics only in their topic', async () => {
  await using fake = await startFakeFeishu();
  const { world } = fake;
  const chat = world.addChat('General');
  const root = world.post(chat.id, 'Hello');
  const reply = world.post(chat.id, 'Hi', { root: root.id, inTopic: true });
  const idsIn = async (type: string, id: string | null): Promise<unknown[]> => {
    const query = `container_id_type=${type}&container_id=${id}`;
    const { json } = await send(fake, `/im/v1/messages?${query}`);
    const items: unknown = json.data?.['items'];
    return Array.isArray(items) ? items.map(({ message_id: own }) => own) : [];
  };
  assert.equal(await idsIn('chat', chat.id), [root.id]);
  assert.equal(await idsIn('thread', reply.thread), [root.id, reply.id]);
});

test.run();
