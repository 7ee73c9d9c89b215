import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeDiscord } from './fake.js';
import type { DiscordWorld } from './fake/world.js';
import { setAge, settingsFor, target } from './source.js';

const count = 6;
const dayMinutes = 24 * 60;

export const law: SyncLaw = {
  schemes: ['discord'],
  async start() {
    const fake = await startFakeDiscord();
    const { world } = fake;
    setAge(fake, dayMinutes);
    fill(world);
    return {
      target,
      config: settingsFor(fake),
      content: () => {
        const texts = (place: string): string[] =>
          marksIn(world.history(place).map(({ content }) => content));
        const nameOf = (channel: string): string => world.channels.get(channel)?.name ?? '';
        return Object.fromEntries([
          ...[...world.channels.values()]
            .filter(({ type }) => type === 0)
            .map(({ id, name }) => [`channels/${name}/messages.jsonl`, texts(id)]),
          ...[...world.threads.values()].map(({ id, channel, name }) => [
            `channels/${nameOf(channel)}/threads/${name} ${id}.jsonl`,
            texts(id),
          ]),
        ]);
      },
      changeAll: () => {
        setAge(fake, 0);
        for (const { id, content } of world.messages.values()) world.edit(id, nextEdition(content));
        addMessages(world);
      },
      removeThird: () => {
        setAge(fake, 0);
        for (const id of everyThird(world.messages.keys())) world.messages.delete(id);
        addMessages(world);
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: DiscordWorld): void {
  const channel = world.addChannel('general');
  const forum = world.addChannel('büro-😀', { type: 15 });
  for (let number = 1; number <= count; number++) {
    world.send(channel.id, markedText());
    world.send(world.startThread(channel.id, `Thread ${number}`).id, markedText());
    const post = world.post(forum.id, `Post ${number}`, markedText());
    world.send(post.id, markedText());
    if (number % 2 === 0) world.archive(post.id);
  }
}

/** Adds a message to each thread, because a sync finds edits and deletions only in threads with a new message. */
function addMessages(world: DiscordWorld): void {
  for (const id of world.threads.keys()) world.send(id, markedText());
}
