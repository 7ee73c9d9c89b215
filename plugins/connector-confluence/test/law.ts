import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type MarkedContent,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeConfluence } from './fake.js';
import type { ConfluenceWorld } from './fake/world.js';
import { configOf } from './support.js';

const pages = 9;

export const law: SyncLaw = {
  schemes: ['confluence'],
  missesDeletions: true,
  async start() {
    const fake = await startFakeConfluence();
    const { world } = fake;
    fill(world);
    return {
      target: 'confluence://acme',
      config: configOf(fake),
      content: () => contentOf(world),
      changeAll: () => {
        world.now = Date.now();
        for (const { id, body } of world.pages.values())
          world.edit(id, { body: nextEdition(body) });
        for (const { id, body } of world.comments.values())
          world.editComment(id, nextEdition(body));
        for (const { id, bytes } of world.attachments.values())
          world.replace(id, nextEdition(bytes));
      },
      removeThird: () => {
        world.now = Date.now();
        for (const id of everyThird(world.comments.keys())) world.comments.delete(id);
        for (const id of everyThird(world.attachments.keys())) world.attachments.delete(id);
        const [trashed, ...purged] = everyThird(world.pages.keys());
        if (trashed !== undefined) world.trash(trashed);
        for (const id of purged) world.purge(id);
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: ConfluenceWorld): void {
  world.now = Date.now();
  for (let number = 1; number <= pages; number++) {
    const { id } = world.create(`Page ${number}`, `<p>${markedText()}</p>`);
    world.comment(id, markedText());
    world.comment(id, markedText(), 'inline');
    if (number % 2 === 0) world.attach(id, `#${number} 50% ✨.txt`, `${markedText()}\n`);
  }
}

function contentOf(world: ConfluenceWorld): MarkedContent {
  const current = [...world.pages.values()].filter(({ status }) => status === 'current');
  const ids = new Set(current.map(({ id }) => id));
  const isShown = ({ page }: { readonly page: number }): boolean => ids.has(page);
  return {
    comments: marksIn([...world.comments.values()].filter(isShown)),
    ...Object.fromEntries(
      current.map(({ id, space, title, body }) => [`${space}/${title}~${id}.md`, marksIn(body)]),
    ),
    ...Object.fromEntries(
      [...world.attachments.values()]
        .filter(isShown)
        .map(({ id, page, title, bytes }) => [
          `attachments/${page}/att${id}-${title}`,
          marksIn(bytes),
        ]),
    ),
  };
}
