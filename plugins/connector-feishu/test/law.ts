import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeFeishu } from './fake.js';
import type { FakeMessage, FakePage, FeishuWorld } from './fake/world.js';
import { settingsFor, target } from './source.js';

/** With this number, every third message is of each kind: alone, a first one, or a reply in or outside a topic. */
const count = 7;
/** Syncs find edits and recalls of the last three days only. */
const ageMs = 60 * 60 * 1000;

export const law: SyncLaw = {
  schemes: ['feishu', 'lark'],
  async start() {
    const fake = await startFakeFeishu();
    const { world } = fake;
    fill(world);
    return {
      target,
      config: settingsFor(fake),
      content: () => contentOf(world),
      changeAll: () => {
        for (const { id, content } of presentMessages(world))
          world.edit(id, nextEdition(textOf(content)));
        for (const { token, content } of world.pages.values())
          world.editPage(token, nextEdition(content));
      },
      removeThird: () => {
        for (const { id } of everyThird(presentMessages(world))) world.recall(id);
        const leaves = [...world.pages.values()].filter(({ parent }) => parent !== '');
        for (const { token } of everyThird(leaves)) world.pages.delete(token);
      },
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function fill(world: FeishuWorld): void {
  world.now = Date.now() - ageMs;
  for (const name of ['General', 'Random', 'büro-😀']) {
    const { id } = world.addChat(name);
    for (let number = 1; number <= count; number++) {
      const { id: root } = world.post(id, markedText());
      if (number % 2 === 0) world.post(id, markedText(), { root, inTopic: number % 4 === 0 });
    }
  }
  const { id: space } = world.addSpace('Handbook');
  const parent = world.addPage({ title: 'Parent', content: markedText(), space });
  for (let number = 1; number <= count; number++)
    world.addPage({ title: `Page ${number}`, content: markedText(), space, parent: parent.token });
}

function presentMessages({ messages }: FeishuWorld): readonly FakeMessage[] {
  return [...messages.values()].filter(({ deleted }) => !deleted);
}

function contentOf(world: FeishuWorld): Record<string, readonly string[]> {
  const messages = presentMessages(world);
  return Object.fromEntries([
    ...[...world.chats.values()].map(({ id, name }) => [
      `chats/${name}/messages.jsonl`,
      marksIn(messages.filter(({ chatId }) => chatId === id)),
    ]),
    ...[...world.pages.values()].map((page) => [pathOf(world, page), marksIn(page.content)]),
  ]);
}

function pathOf(world: FeishuWorld, { space, title, token }: FakePage): string {
  return `wiki/${world.spaces.get(space ?? '')?.name}/${title}~${token}.txt`;
}

function textOf(content: string): string {
  const { text = '' }: { readonly text?: string } = Object(JSON.parse(content));
  return text;
}
