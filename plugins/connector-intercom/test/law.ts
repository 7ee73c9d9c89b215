import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type MarkedContent,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeIntercom } from './fake.js';
import type { IntercomWorld } from './fake/world.js';
import { configOf } from './support.js';

const count = 6;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export const law: SyncLaw = {
  schemes: ['intercom'],
  async start() {
    const fake = await startFakeIntercom();
    const { world } = fake;
    world.now = Date.now() - dayMs;
    fill(world);
    const change = (make: () => void): void => {
      world.now = Date.now() - minuteMs;
      make();
      world.now = Date.now();
    };
    world.now = Date.now();
    return {
      target: 'intercom://acme',
      config: configOf(fake),
      content: () => contentOf(world),
      changeAll: () => change(() => changeAll(world)),
      removeThird: () =>
        change(() => {
          for (const id of everyThird(world.conversations.keys())) world.removeConversation(id);
          for (const id of everyThird(world.articles.keys())) world.articles.delete(id);
        }),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: IntercomWorld): void {
  for (let number = 1; number <= count; number++) {
    const { id } = world.write(markedText());
    world.reply(id, markedText());
    world.reply(id, markedText(), { type: 'note' });
    const ticket = world.open(`Case ${number}`, markedText());
    world.reply(ticket.id, markedText());
    world.publish(`Guide ${number}`, `<p>${markedText()}</p>`);
    world.publishInternally(`Rule ${number}`, `<p>${markedText()}</p>`);
  }
}

function contentOf(world: IntercomWorld): MarkedContent {
  return {
    conversations: marksIn([...world.conversations.values()]),
    tickets: marksIn([...world.tickets.values()]),
    ...Object.fromEntries(
      [...world.articles.values()].map(({ title, body }) => [
        `articles/Guides/First steps/${title}.html`,
        marksIn(body),
      ]),
    ),
    ...Object.fromEntries(
      [...world.internalArticles.values()].map(({ title, body }) => [
        `internal-articles/${title}.html`,
        marksIn(body),
      ]),
    ),
  };
}

function changeAll(world: IntercomWorld): void {
  // Messages never change, so each conversation gets a further one.
  for (const id of world.conversations.keys()) world.reply(id, markedText());
  for (const { id, description } of world.tickets.values()) {
    world.describeTicket(id, nextEdition(description ?? ''));
    world.reply(id, markedText());
  }
  for (const articles of [world.articles, world.internalArticles])
    for (const { id, body } of articles.values())
      world.editArticle(id, { body: nextEdition(body) });
}
