import { markedFiles } from '@trove/test-support/marked-files.js';
import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type LawSource,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { startFakeGraph } from './fake.js';
import type { FakeDrive } from './fake/drive-world.js';
import type { NewMessage, StoredMessage } from './fake/mail-world.js';
import type { GraphWorld } from './fake/world.js';
import { mailTarget, messagesPath } from './mail-source.js';
import { allSitesTarget, driveTarget, settingsFor } from './source.js';

type MarkedFiles = Pick<LawSource, 'changeAll' | 'content' | 'removeThird'>;

/** Fills a drive with marked files. */
function markedDrive(world: GraphWorld, drive: FakeDrive): Promise<MarkedFiles> {
  const folderAt = (path: string): string => {
    if (path === '') return drive.rootId;
    const { name, folder } = split(path);
    return drive.itemAt(path)?.id ?? drive.createFolder(name, folderAt(folder)).id;
  };
  return markedFiles({
    write: (path, content) => {
      world.advance(1000);
      const { name, folder } = split(path);
      const item = drive.itemAt(path);
      if (item === undefined) drive.create({ name, content, parent: folderAt(folder) });
      else drive.edit(item.id, { content });
    },
    remove: (path) => {
      world.advance(1000);
      drive.remove(drive.itemAt(path)?.id ?? '');
    },
  });
}

function split(path: string): { readonly name: string; readonly folder: string } {
  const slash = path.lastIndexOf('/');
  return { name: path.slice(slash + 1), folder: path.slice(0, Math.max(0, slash)) };
}

const driveLaw: SyncLaw = {
  schemes: ['onedrive'],
  async start() {
    const fake = await startFakeGraph();
    const { world } = fake;
    const files = await markedDrive(world, world.own);
    return {
      target: driveTarget,
      config: settingsFor(fake),
      ...files,
      expireCursors: () => world.own.expireLinks(),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

const sitesLaw: SyncLaw = {
  schemes: ['sharepoint'],
  async start() {
    const fake = await startFakeGraph();
    const { world } = fake;
    world.addSite('', 'Home');
    const libraries = new Map<string, MarkedFiles>();
    const drives: FakeDrive[] = [];
    for (const name of ['Team', 'Büro']) {
      const site = world.addSite(`sites/${name}`, name);
      for (const library of ['Documents', '100% sure #1']) {
        const drive = world.addDrive(library, site);
        drives.push(drive);
        libraries.set(`${name}/${library}`, await markedDrive(world, drive));
      }
    }
    return {
      target: allSitesTarget,
      config: settingsFor(fake),
      content: async () => {
        const present: Record<string, readonly string[]> = {};
        for (const [folder, files] of libraries)
          for (const [path, marks] of Object.entries(await files.content()))
            present[`${folder}/${path}`] = marks;
        return present;
      },
      changeAll: async () => {
        for (const files of libraries.values()) await files.changeAll();
      },
      removeThird: async () => {
        for (const files of libraries.values()) await files.removeThird();
      },
      expireCursors: () => drives.forEach((drive) => drive.expireLinks()),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

const threads = 4;
const fileName = '100% sure #1.txt';

/** The texts of a message and of its attachment. */
interface MarkedTexts {
  readonly text: string;
  readonly attached: string;
}

const mailLaw: SyncLaw = {
  schemes: ['outlook'],
  async start() {
    const fake = await startFakeGraph();
    const { world } = fake;
    const { mail } = world;
    const texts = new Map<string, MarkedTexts>();
    const deliver = (marked: MarkedTexts, message: NewMessage): StoredMessage => {
      const { text, attached } = marked;
      const stored = mail.deliver({ ...message, text, files: { [fileName]: attached } });
      texts.set(stored.id, marked);
      return stored;
    };
    const remove = (id: string): void => {
      mail.remove(id);
      texts.delete(id);
    };
    for (const folder of [mail.inbox, mail.addFolder('Old 100 😀')])
      for (let number = 1; number <= threads; number++) {
        const replyTo = deliver(newTexts(), { folder });
        deliver(newTexts(), { replyTo, folder, isDraft: true });
      }
    return {
      target: mailTarget,
      config: settingsFor(fake),
      content: () => ({
        [messagesPath]: marksIn([...texts.values()].map(({ text }) => text)),
        ...Object.fromEntries(
          [...texts].map(([id, { attached }]) => [
            `attachments/${id}/${fileName}`,
            marksIn(attached),
          ]),
        ),
      }),
      changeAll: () => {
        world.advance(1000);
        const former = [...texts];
        for (const [id, before] of former) {
          const { text, attached } = before;
          const after = { text: nextEdition(text), attached: nextEdition(attached) };
          const message = mail.message(id);
          // Only drafts change. Another message of the conversation takes the place of a received one.
          if (message.isDraft) {
            mail.change(id, { raw: edited(message, before, after) });
            texts.set(id, after);
          } else {
            remove(id);
            deliver(after, { replyTo: message, folder: message.folder });
          }
        }
      },
      removeThird: () => everyThird(texts.keys()).forEach(remove),
      expireCursors: () => mail.expireLinks(),
      [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
    };
  },
};

function newTexts(): MarkedTexts {
  return { text: markedText(), attached: markedText() };
}

/** Returns a message with other texts. */
function edited({ raw }: StoredMessage, before: MarkedTexts, after: MarkedTexts): string {
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  return raw
    .replace(before.text, after.text)
    .replace(encoded(before.attached), encoded(after.attached));
}

export const laws: readonly SyncLaw[] = [driveLaw, sitesLaw, mailLaw];
