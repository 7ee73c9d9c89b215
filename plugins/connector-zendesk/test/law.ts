import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type MarkedContent,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeZendesk } from './fake.js';
import type { ZendeskWorld } from './fake/world.js';
import { configOf } from './support.js';

const count = 6;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Exports leave out the last minute, and each group of changes has its own time. */
const firstAgeMinutes = 11;
const stepMinutes = 2;

export const law: SyncLaw = {
  schemes: ['zendesk'],
  async start() {
    const fake = await startFakeZendesk();
    const { world } = fake;
    let age = firstAgeMinutes;
    const change = (make: () => void): void => {
      age -= stepMinutes;
      world.now = Date.now() - age * minuteMs;
      make();
      world.now = Date.now();
    };
    world.now = Date.now() - dayMs;
    fill(world);
    world.now = Date.now();
    return {
      target: 'zendesk://acme',
      config: configOf(fake),
      content: () => contentOf(world),
      changeAll: () => change(() => changeAll(world)),
      removeThird: () =>
        change(() => {
          for (const { id } of everyThird(presentTickets(world))) world.remove(id);
          for (const id of everyThird(world.articles.keys())) world.articles.delete(id);
        }),
      expireCursors: () => void world.cursorGeneration++,
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: ZendeskWorld): void {
  for (let number = 1; number <= count; number++) {
    const { id } = world.create({ subject: markedText(), description: markedText() });
    world.comment(id, markedText());
    world.comment(id, markedText(), { isPublic: false });
    world.writeArticle(`Guide ${number}`, `<p>${markedText()}</p>`);
  }
  world.archive(count);
}

function presentTickets(world: ZendeskWorld) {
  return [...world.tickets.values()].filter(({ status }) => status !== 'deleted');
}

function contentOf(world: ZendeskWorld): MarkedContent {
  const tickets = presentTickets(world);
  return {
    tickets: marksIn(tickets.map(({ id, subject }) => [subject, world.commentsOf(id)])),
    ...Object.fromEntries(
      [...world.articles.values()].map(({ id, title, body }) => [
        `articles/${id} ${title}.html`,
        marksIn(body),
      ]),
    ),
  };
}

function changeAll(world: ZendeskWorld): void {
  // Comments never change, so each ticket gets a further one.
  for (const { id, tags } of presentTickets(world)) {
    world.setTags(id, [...tags, `tag-${tags.length}`]);
    world.comment(id, markedText());
  }
  for (const { id, body } of world.articles.values())
    world.editArticle(id, { body: nextEdition(body) });
}
