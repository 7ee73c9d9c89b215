import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { inWorld, mbox, message, mixed, part, plugin, type World } from './support.js';

const test = suite('mbox connector, conformance');

const idOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);
const ids = {
  one: idOf('<one@example.org>'),
  two: idOf('<two@example.org>'),
  file: idOf('1.M2.host'),
};
const notes = 'line one\nline .* two\nthree';
const fields = {
  from: 'Ada Lovelace <ada@example.org>',
  to: ['Ben <ben@example.org>', 'cleo@example.org'],
  date: '2024-02-29T12:00:00.000Z',
};
const rest = { author: 'Ada Lovelace', at: Date.UTC(2024, 1, 29, 12) };

function subjectOn(world: World): ConnectorSubject {
  const withAttachment = (content: string): string =>
    mixed(
      [
        part(['Content-Type: text/plain'], 'See what is attached.'),
        part(
          ['Content-Type: text/markdown; name="50% #1 ? 😀.md"', 'Content-Disposition: attachment'],
          content,
        ),
      ],
      { id: 'two@example.org', subject: 'Two', headers: ['References: <one@example.org>'] },
    );
  const box = (content: string): string => mbox(message(), withAttachment(content));
  world.write('mail/Old mail.mbox', box(notes));
  world.maildir('mail/Inbox', {
    'cur/1.M2.host:2,FS': mixed(
      [
        part(['Content-Type: text/plain'], 'Here.'),
        part(
          [
            'Content-Disposition: attachment; filename=data.bin',
            'Content-Transfer-Encoding: base64',
          ],
          'AAEC/wA=',
        ),
      ],
      { id: 'three@example.org', subject: 'Three' },
    ),
  });
  world.maildir('empty');
  const path = `Old mail.mbox/attachments/${ids.two}/50% #1 ? 😀.md`;
  const data = `Inbox/attachments/${ids.file}/data.bin`;
  const version = versionsIn(world);
  return {
    plugin,
    target: world.target('mail'),
    refused: [{ folders: 'Inbox' }, { attachments: 'no' }],
    objects: [
      { path, bytes: Buffer.from(notes) },
      { path: data, bytes: Uint8Array.from([0, 1, 2, 255, 0]) },
      {
        path: 'Old mail.mbox/messages.jsonl',
        records: [
          {
            key: { id: ids.one },
            fields: { id: ids.one, subject: 'Hello', ...fields, message_id: 'one@example.org' },
            text: 'A text.',
            version: version(ids.one),
            title: 'Hello',
            ...rest,
            thread: 'one@example.org',
          },
          {
            key: { id: ids.two },
            fields: { id: ids.two, subject: 'Two', ...fields, message_id: 'two@example.org' },
            text: 'See what is attached.\n\nAttachments: 50% #1 ? 😀.md',
            version: version(ids.two),
            title: 'Two',
            ...rest,
            thread: 'one@example.org',
            attachments: [path],
          },
        ],
      },
      {
        path: 'Inbox/messages.jsonl',
        records: [
          {
            key: { id: ids.file },
            fields: {
              id: ids.file,
              subject: 'Three',
              ...fields,
              message_id: 'three@example.org',
              flags: ['flagged'],
            },
            text: 'Here.\n\nAttachments: data.bin',
            version: 'flagged',
            title: 'Three',
            ...rest,
            thread: 'three@example.org',
            attachments: [data],
          },
        ],
      },
    ],
    absent: `Inbox/attachments/${ids.file}/nothing here.md`,
    change: async (changed) => {
      if (changed === path) world.write('mail/Old mail.mbox', box(`${notes}\nand more`));
      else throw new Error(`nobody changes ${changed}`);
    },
    remove: async (removed) => {
      if (removed === data) rmSync(join(world.path, 'mail/Inbox/cur/1.M2.host:2,FS'));
      else if (removed === path) world.write('mail/Old mail.mbox', mbox(message()));
      else throw new Error(`nobody removes ${removed}`);
    },
    changeRecords: async (changed) => {
      if (changed.startsWith('Inbox')) {
        const folder = join(world.path, 'mail/Inbox/cur');
        renameSync(join(folder, '1.M2.host:2,FS'), join(folder, '1.M2.host:2,RS'));
        world.write('mail/Inbox/new/2.M3.host', message({ id: 'four@example.org' }));
      } else
        world.write(
          'mail/Old mail.mbox',
          mbox(withAttachment('other'), message({ id: 'new@example.org' })),
        );
    },
    emptyTarget: world.target('empty'),
    unreachable: { target: world.target('nowhere') },
  };
}

/** Versions are hashes of the raw messages. */
function versionsIn(world: World): (id: string) => string {
  const text = readFileSync(join(world.path, 'mail/Old mail.mbox'), 'utf8');
  const messages = text.split(/^From ada.*\n/m).slice(1);
  const hashes = new Map(
    messages.map((each) => {
      const id = idOf(/^Message-ID: (.*)$/m.exec(each)?.[1] ?? '');
      return [id, createHash('sha256').update(`\n${each}`).digest('base64url').slice(0, 8)];
    }),
  );
  return (id) => hashes.get(id) ?? '';
}

await testConformance(test, (work) => inWorld(async (world) => work(subjectOn(world)))(), [
  'addReply',
  'browse',
  'checkpoints',
  'close',
  'moveFolder',
  'grep',
  'keysOnly',
  'paths',
  'since',
  'coupled',
  'expireAccess',
  'expireCursors',
  'explain',
  'replaceCredential',
  'secret',
]);

test.run();
