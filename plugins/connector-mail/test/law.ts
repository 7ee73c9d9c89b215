import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { noMailServer, startMailServer } from '@trove/test-support/mail-server.js';
import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { Account } from './imap-support.js';
import { mbox, message, mixed, part, World } from './support.js';

const count = 6;

/** A message with an attachment, of which each has a mark. */
interface MarkedMessage {
  readonly number: number;
  readonly edition: number;
  readonly body: string;
  readonly attached: string;
}

function newMessages(): MarkedMessage[] {
  return Array.from({ length: count }, (_, number) => ({
    number,
    edition: 1,
    body: markedText(),
    attached: markedText(),
  }));
}

function changed({ number, edition, body, attached }: MarkedMessage): MarkedMessage {
  const texts = { body: nextEdition(body), attached: nextEdition(attached) };
  return { number, edition: edition + 1, ...texts };
}

function idOf(number: number): string {
  return `message-${number}@example.org`;
}

function rawOf({ number, body, attached }: MarkedMessage): string {
  const file = ['Content-Type: text/markdown; name=notes.md', 'Content-Disposition: attachment'];
  const parts = [part(['Content-Type: text/plain'], body), part(file, attached)];
  return mixed(parts, { id: idOf(number), subject: `Message ${number}` });
}

/** The content of a folder. `pathId` is the id of a message in the path of its attachment. */
function contentOf(
  folder: string,
  messages: readonly MarkedMessage[],
  pathId: (message: MarkedMessage) => string,
): Record<string, readonly string[]> {
  const attachments = messages.map((each): [string, string[]] => [
    `${folder}/attachments/${pathId(each)}/notes.md`,
    marksIn(each.attached),
  ]);
  const bodies = marksIn(messages.map(({ body }) => body));
  return { [`${folder}/messages.jsonl`]: bodies, ...Object.fromEntries(attachments) };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

export const law: SyncLaw = {
  schemes: ['mbox'],
  async start() {
    const world = new World();
    let [inFile, inFolder] = [newMessages(), newMessages()];
    const nameOf = ({ number, edition }: MarkedMessage): string => `${number}.M${edition}.host`;
    const writeAll = (): void => {
      world.write('Old mail.mbox', mbox(message(), ...inFile.map(rawOf)));
      for (const each of inFolder) world.write(`Inbox/cur/${nameOf(each)}:2,S`, rawOf(each));
    };
    const removeFile = (each: MarkedMessage): void =>
      rmSync(join(world.path, `Inbox/cur/${nameOf(each)}:2,S`));
    world.maildir('Inbox');
    writeAll();
    return {
      target: world.target(),
      content: () => ({
        ...contentOf('Old mail.mbox', inFile, ({ number }) => shortHash(`<${idOf(number)}>`)),
        ...contentOf('Inbox', inFolder, (each) => shortHash(nameOf(each))),
      }),
      changeAll: () => {
        inFolder.forEach(removeFile);
        [inFile, inFolder] = [inFile.map(changed), inFolder.map(changed)];
        writeAll();
      },
      removeThird: () => {
        everyThird(inFolder).forEach(removeFile);
        [inFile, inFolder] = [withoutThird(inFile), withoutThird(inFolder)];
        writeAll();
      },
      [Symbol.asyncDispose]: () => world.remove(),
    };
  },
};

function withoutThird(messages: readonly MarkedMessage[]): MarkedMessage[] {
  const removed = new Set(everyThird(messages));
  return messages.filter((each) => !removed.has(each));
}

export const imapLaw: SyncLaw = {
  schemes: ['imap', 'imaps'],
  unavailable: noMailServer,
  async start() {
    const server = await startMailServer();
    const account = new Account(server);
    const folders = ['INBOX', 'Old 100 😀'];
    const messages = new Map<string, Map<number, MarkedMessage>>();
    const append = async (folder: string, each: MarkedMessage): Promise<void> => {
      const uid = await account.append(folder, rawOf(each));
      messages.get(folder)?.set(uid, each);
    };
    const remove = async (folder: string, uid: number): Promise<void> => {
      messages.get(folder)?.delete(uid);
      await account.delete(folder, uid);
    };
    for (const folder of folders) {
      if (folder !== 'INBOX') await account.create(folder);
      messages.set(folder, new Map());
      for (const each of newMessages()) await append(folder, each);
    }
    const all = (): (readonly [string, number, MarkedMessage])[] =>
      [...messages].flatMap(([folder, byUid]) =>
        [...byUid].map(([uid, each]) => [folder, uid, each] as const),
      );
    return {
      target: account.target,
      config: { password: server.password, tls: 'off' },
      content: () =>
        Object.assign(
          {},
          ...[...messages].map(([folder, byUid]) => {
            const uids = new Map([...byUid].map(([uid, each]) => [each, String(uid)]));
            return contentOf(folder, [...byUid.values()], (each) => uids.get(each) ?? '');
          }),
        ),
      changeAll: async () => {
        for (const [folder, uid, each] of all()) {
          await append(folder, changed(each));
          await remove(folder, uid);
        }
      },
      removeThird: async () => {
        for (const [folder, uid] of everyThird(all())) await remove(folder, uid);
      },
      async [Symbol.asyncDispose]() {
        await account.remove();
        await server.stop();
      },
    };
  },
};
