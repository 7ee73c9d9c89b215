import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { startFakeSlack, type FakeSlack } from './fake.js';
import { httpOf, openSlack, plugin, recordsAt, settingsOf } from './source.js';

const test = suite('Slack connector, conformance');

const hourMs = 3_600_000;
const note = 'one\ntwo .* two\nthree';

async function subjectOn(fake: FakeSlack): Promise<ConnectorSubject> {
  const { world } = fake;
  world.now = Date.now() - hourMs;
  const { id: general } = world.addChannel('general');
  const { id: odd } = world.addChannel('büro-😀', { kind: 'private' });
  const file = world.upload('100% sure #1.txt', note, { channels: [general] });
  const other = world.upload('other.md', '# Title\n', { channels: [odd] });
  const [first = ''] = ['Who has the plan?', 'Nobody'].map((text) => world.post(general, text));
  world.post(general, 'I do', { thread: first, files: [file.id] });
  world.post(odd, 'Hello <@U0000000A>');
  const paths = new Map([
    ['channels/general/messages.jsonl', general],
    ['channels/büro-😀/messages.jsonl', odd],
  ]);
  const connector = await openSlack(fake);
  const streams = [];
  for (const path of paths.keys())
    streams.push({ path, records: await recordsAt(connector, path) });
  await connector.close();
  const channelAt = (path: string): string => paths.get(path) ?? '';
  const files = new Map([file, other].map((each) => [`files/${each.id}-${each.name}`, each]));
  let posted = 0;
  return {
    plugin,
    target: 'slack://acme',
    config: settingsOf(fake),
    http: httpOf(fake),
    objects: [...streams, ...[...files].map(([path, { bytes }]) => ({ path, bytes }))],
    absent: 'channels/nothing here/messages.jsonl',
    refused: [
      {},
      { token: '' },
      { token: 'xoxb-1', window: '30d' },
      { token: 'x', types: ['all'] },
    ],
    change: async (path) => {
      const known = files.get(path);
      if (known === undefined) world.post(channelAt(path), 'Changed');
      else world.files.set(known.id, { ...known, bytes: Buffer.from('changed\n'.repeat(9)) });
    },
    remove: async (path) => {
      const known = files.get(path);
      if (known === undefined) world.removeChannel(channelAt(path));
      else world.removeFile(known.id);
    },
    changeRecords: async (path) => {
      const channel = channelAt(path);
      const [one, two] = world.visibleMessages(channel).filter(({ thread }) => thread === null);
      world.edit(channel, one?.ts ?? '', `Changed ${++posted}`);
      if (two !== undefined) world.remove(channel, two.ts);
      world.post(channel, `Added ${posted}`);
    },
    checkpoints: true,
    addReply: async (path) => {
      const channel = channelAt(path);
      const [oldest] = world.visibleMessages(channel);
      world.post(channel, 'A new reply', { thread: oldest?.ts ?? '' });
    },
    replaceCredential: async () => {
      world.tokens.clear();
      world.tokens.add('xoxb-2');
      return { token: 'xoxb-2' };
    },
    unreachable: { config: settingsOf(fake, { token: 'xoxb-not-valid' }) },
    secret: 'xoxb-not-valid',
  };
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeSlack();
    await work(await subjectOn(fake));
  },
  [
    'browse',
    'grep',
    'watch',
    'since',
    'paths',
    'stat',
    'coupled',
    'emptyTarget',
    'expireAccess',
    'expireCursors',
    'keysOnly',
    'moveFolder',
  ],
);

test.run();
