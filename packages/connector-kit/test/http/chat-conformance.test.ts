import type { ConnectorSubject } from '@trove/testkit';
import { testConformance } from '@trove/test-support/conformance.js';
import { suite } from 'uvu';

import { startHttpFake } from '../../src/http/fake/index.js';
import { chatPlugin, threadedChat } from './chat-plugin.js';

const test = suite('conformance of a described web service with threads');
const dayMs = 86_400_000;

const plugin = chatPlugin(threadedChat);

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  await using chat = await startHttpFake(plugin, { config: (url) => ({ url }) });
  chat.setName('users', 'u1', 'Ada');
  const start = Math.floor(Date.now() / 1000);
  const records = (channel: string) => {
    chat.put('channels', { id: channel, name: `${channel} #1 100% ✨` });
    const message = (days: number, text: string, root?: string) => {
      const at = start * 1000 - days * dayMs;
      const ts = (at / 1000).toFixed(6);
      const item = { ts, text, user: 'u1', thread: root ?? ts };
      if (root === undefined) chat.put('messages', item, { channels: channel });
      else chat.put('replies', item, { channels: channel, messages: root });
      return { key: { ts }, fields: {}, text, at, author: 'Ada', thread: root ?? ts };
    };
    const oldest = message(20, 'oldest');
    const reply = message(5, 'reply', oldest.key.ts);
    const others = [10, 3].map((days) => message(days, `${days} days`));
    return [others[1], others[0], oldest, reply].filter((each) => each !== undefined);
  };
  const objects = ['C1', 'C2'].map((channel) => ({
    path: `channels/${channel} #1 100% ✨`,
    records: records(channel),
  }));
  const { changeRecords: _, ...subject } = chat.subject({
    refused: [{ address: 'x' }],
    objects,
    absent: 'channels/nothing',
  });
  await work(subject);
}

await testConformance(test, withSubject, [
  'browse',
  'change',
  // The chat does not report a deleted message without replies, because streams share the channel.
  'changeRecords',
  'coupled',
  'emptyTarget',
  'expireAccess',
  'expireCursors',
  'grep',
  'keysOnly',
  'moveFolder',
  'paths',
  'read',
  'replaceCredential',
  'secret',
  'since',
  'stat',
  'watch',
]);

test.run();
