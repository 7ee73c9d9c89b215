import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeSlack } from './fake.js';
import type { Message, SlackWorld } from './fake/world.js';
import { settingsOf } from './source.js';

const threads = 6;

export const law: SyncLaw = {
  schemes: ['slack'],
  async start() {
    const fake = await startFakeSlack();
    const { world } = fake;
    fill(world);
    return {
      target: 'slack://acme',
      config: settingsOf(fake),
      content: () =>
        Object.fromEntries(
          [...world.channels.values()].map(({ id, name }) => [
            `channels/${name}/messages.jsonl`,
            marksIn(world.visibleMessages(id).map(({ text }) => text)),
          ]),
        ),
      changeAll: () => {
        world.now = Date.now();
        for (const [channel, { ts, text, thread }] of messagesIn(world)) {
          world.edit(channel, ts, nextEdition(text));
          // A thread shows an edited reply only together with a new one.
          if (thread !== null) world.post(channel, markedText(), { thread });
        }
      },
      removeThird: () => {
        for (const [channel, { ts }] of everyThird(messagesIn(world))) world.remove(channel, ts);
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: SlackWorld): void {
  world.now = Date.now() - 60_000;
  for (const [name, kind] of [
    ['general', 'public'],
    ['büro-😀', 'private'],
  ] as const) {
    const { id } = world.addChannel(name, { kind });
    for (let number = 1; number <= threads; number++) {
      const thread = world.post(id, markedText());
      if (number % 2 === 0) world.post(id, markedText(), { thread });
      world.advance(1000);
    }
  }
}

function messagesIn(world: SlackWorld): readonly (readonly [channel: string, message: Message])[] {
  return [...world.channels.keys()].flatMap((id) =>
    world.visibleMessages(id).map((message) => [id, message] as const),
  );
}
