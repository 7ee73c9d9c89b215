import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeGmail } from './fake.js';
import type { StoredMessage } from './fake/world.js';
import { messagesPath, settingsFor, target } from './source.js';

const count = 6;

/** The texts of a message, of which each has a mark. */
interface MarkedTexts {
  readonly text: string;
  /** Null: it has no attachment. */
  readonly attached: string | null;
}

export const law: SyncLaw = {
  schemes: ['gmail'],
  async start() {
    const fake = await startFakeGmail();
    const { world } = fake;
    const present = new Map<string, MarkedTexts>();
    const deliver = (texts: MarkedTexts, replyTo?: StoredMessage): StoredMessage => {
      world.advance(1000);
      const { text, attached } = texts;
      const message = world.deliver({
        text,
        ...(attached === null ? {} : { files: { 'notes.md': attached } }),
        ...(replyTo === undefined ? {} : { replyTo }),
      });
      present.set(message.id, texts);
      return message;
    };
    for (let number = 1; number <= count; number++) {
      const first = deliver({ text: markedText(), attached: markedText() });
      deliver({ text: markedText(), attached: null }, first);
    }
    let removed = 0;
    const remove = (id: string): void => {
      present.delete(id);
      if (++removed % 2 === 0) world.trash(id);
      else world.remove(id);
    };
    return {
      target,
      config: settingsFor(fake),
      content: () => ({
        [messagesPath]: marksIn([...present.values()].map(({ text }) => text)),
        ...Object.fromEntries(
          [...present].flatMap(([id, { attached }]) =>
            attached === null ? [] : [[`attachments/${id}/notes.md`, marksIn(attached)]],
          ),
        ),
      }),
      changeAll: () => {
        const all = [...present];
        // A message never changes, so an answer replaces each.
        for (const [id, { text, attached }] of all) {
          const next = attached === null ? null : nextEdition(attached);
          deliver({ text: nextEdition(text), attached: next }, world.messages.get(id));
          remove(id);
        }
      },
      removeThird: () => everyThird(present.keys()).forEach(remove),
      expireCursors: () => world.expireHistory(),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};
