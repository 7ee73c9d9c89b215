// test-timeout: 300
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeDiscord, type FakeDiscord } from './fake.js';
import { openDiscord, setAge, settingsFor, target } from './source.js';
import { recordsAt } from './with-discord.js';

const test = suite('Discord connector, conformance');

async function subjectOn(fake: FakeDiscord): Promise<ConnectorSubject> {
  const { world } = fake;
  setAge(fake, 60);
  const general = world.addChannel('general');
  const odd = world.addChannel('büro-😀');
  const forum = world.addChannel('100% sure #1', { type: 15 });
  for (const text of ['Who has the plan?', 'Nobody', 'I do']) world.send(general.id, text);
  world.send(odd.id, 'Hello');
  const post = world.post(forum.id, 'Where / how?', 'First line\nsecond line\nthird line');
  world.send(post.id, 'There');
  const places = new Map([
    ['channels/general/messages.jsonl', general.id],
    ['channels/büro-😀/messages.jsonl', odd.id],
    [`channels/100% sure #1/threads/Where ∕ how? ${post.id}.jsonl`, post.id],
  ]);
  const connector = await openDiscord(fake);
  const objects = [];
  for (const path of places.keys())
    objects.push({ path, records: await recordsAt(connector, path) });
  await connector.close();
  const placeAt = (path: string): string => places.get(path) ?? '';
  let changed = 0;
  return {
    plugin,
    target,
    config: settingsFor(fake),
    http: connectorHttp(),
    objects,
    absent: 'channels/nothing here/messages.jsonl',
    refused: [
      {},
      { token: '' },
      { token: 'x', guild: 'acme' },
      { token: 'x', thread_window: '30' },
    ],
    changeRecords: async (path) => {
      setAge(fake, 1);
      const place = placeAt(path);
      const [newest, other] = world.history(place);
      world.edit(newest?.id ?? '', `Changed ${++changed}`);
      if (other !== undefined) world.messages.delete(other.id);
      world.send(place, `Added ${changed}`);
    },
    checkpoints: true,
    replaceCredential: async () => {
      world.tokens.clear();
      world.tokens.add('bot-token-2');
      return { token: 'bot-token-2' };
    },
    unreachable: { config: { ...settingsFor(fake), token: 'not-the-token-of-anybody' } },
    secret: 'not-the-token-of-anybody',
  };
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeDiscord();
    await work(await subjectOn(fake));
  },
  [
    'addReply',
    'browse',
    'change',
    'emptyTarget',
    'expireAccess',
    'expireCursors',
    'grep.regex',
    'keysOnly',
    'moveFolder',
    'paths',
    'read',
    'remove',
    'since',
    'stat',
    // The search finds the texts of messages.
    'the subject has no record with a word in its fields',
    'the subject has no text of three lines or more',
    'watch',
  ],
);

test.run();
