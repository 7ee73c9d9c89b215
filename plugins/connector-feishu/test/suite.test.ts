// test-timeout: 300
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { startFakeFeishu, type FakeFeishu } from './fake.js';
import { openFeishu, plugin, recordsAt, settingsFor, target } from './source.js';

const test = suite('Feishu connector, conformance');

const dayMs = 86_400_000;
const text = 'First line\nsecond line with .* and %\nthird line\n';

async function subjectOn(fake: FakeFeishu): Promise<ConnectorSubject> {
  const { world } = fake;
  world.now = Date.now() - dayMs;
  const chats = ['General', '100% sure #1 😀'].map((name) => world.addChat(name));
  const paths = new Map(chats.map(({ id, name }) => [`chats/${name}/messages.jsonl`, id]));
  for (const { id } of chats) {
    const root = world.post(id, 'Who has the plan?');
    world.post(id, 'I do', { root: root.id, inTopic: true });
    world.post(id, 'Lunch?');
  }
  const { id: space } = world.addSpace('Hand#book');
  const parent = world.addPage({ title: 'Parent', content: text, space });
  const child = world.addPage({ title: 'b c?', content: `b ${text}`, space, parent: parent.token });
  const pages = new Map(
    [parent, child].map((page) => [`wiki/Hand#book/${page.title}~${page.token}.txt`, page]),
  );
  const config = settingsFor(fake);
  const connector = await openFeishu(config);
  const streams = [];
  for (const path of paths.keys())
    streams.push({ path, records: await recordsAt(connector, path) });
  await connector.close?.();
  const chatAt = (path: string): string => paths.get(path) ?? '';
  const rootsOf = (chat: string) =>
    [...world.messages.values()].filter(
      ({ chatId, root, deleted }) => chatId === chat && root === null && !deleted,
    );
  const secret = 'not-the-secret-of-anybody';
  let changed = 0;
  return {
    plugin,
    target,
    config,
    http: connectorHttp(),
    objects: [
      ...streams,
      ...[...pages].map(([path, { content }]) => ({ path, bytes: Buffer.from(content) })),
    ],
    absent: 'chats/nothing here/messages.jsonl',
    change: async (path) => {
      const page = pages.get(path);
      if (page === undefined) world.post(chatAt(path), 'Changed');
      else world.editPage(page.token, `Changed\n${text.repeat(3)}`);
    },
    remove: async (path) => {
      const page = pages.get(path);
      if (page === undefined) world.chats.delete(chatAt(path));
      else world.pages.delete(page.token);
    },
    changeRecords: async (path) => {
      const [first, second] = rootsOf(chatAt(path));
      world.edit(first?.id ?? '', `Changed ${++changed}`);
      if (second !== undefined) world.recall(second.id);
      world.post(chatAt(path), `Added ${changed}`);
    },
    addReply: async (path) => {
      const [oldest] = rootsOf(chatAt(path));
      world.post(chatAt(path), 'A new reply', { root: oldest?.id ?? '', inTopic: true });
    },
    checkpoints: true,
    coupled: [[...pages.keys()]],
    expireAccess: async () => world.tokens.clear(),
    replaceCredential: async () => {
      world.tokens.clear();
      world.secret = 'secret-2';
      return { app_secret: 'secret-2' };
    },
    refused: [{}, { app_id: 'cli_1' }, { ...config, include: ['mail'] }, { ...config, link: 'x' }],
    unreachable: { config: { ...config, app_secret: secret } },
    secret,
  };
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeFeishu();
    await work(await subjectOn(fake));
  },
  [
    'browse',
    'emptyTarget',
    'expireCursors',
    'grep',
    'keysOnly',
    'moveFolder',
    'paths',
    'since',
    'stat',
    'threads',
    'watch',
  ],
);

test.run();
