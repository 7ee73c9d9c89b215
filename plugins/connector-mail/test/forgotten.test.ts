import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { streamChangesSince } from '../src/mbox/changes.js';
import { findMailboxes } from '../src/mbox/mailbox-finder.js';
import type { Mailbox } from '../src/mbox/mailbox.js';
import type { Maildir } from '../src/mbox/maildir.js';
import { MailStore } from '../src/mbox/store.js';
import { ThreadIndex } from '../src/mbox/thread-index.js';
import { calm, inWorld, message, type World } from './support.js';

const test = suite('cached data of removed mailboxes');

function twoMaildirs(world: World): void {
  world.maildir('kept', { 'cur/1.a.host:2,': message() });
  world.maildir('lost', { 'cur/1.a.host:2,': message() });
}

test(
  'drops the file list of a removed Maildir',
  inWorld(async (world) => {
    twoMaildirs(world);
    const maildirs = new Map<string, Maildir>();
    const look = (): Promise<Mailbox[]> =>
      findMailboxes({ path: world.path, deniedRoots: [], allowedRoots: [], maildirs }, calm());
    const [first] = await look();
    assert.is(maildirs.size, 2);
    renameSync(join(world.path, 'lost'), join(world.path, '.lost'));
    assert.equal(await look(), [first]);
    assert.equal([...maildirs.keys()], [join(world.path, 'kept')]);
  }),
);

test(
  'drops the state of a removed mailbox',
  inWorld(async (world) => {
    twoMaildirs(world);
    const config = { folders: [], attachments: true };
    const store = new MailStore(connectorContext({ config, target: world.target() }));
    const states = async () =>
      Promise.all((await store.mailboxes(calm())).map((each) => store.state(each, calm())));
    const [kept, lost] = await states();
    renameSync(join(world.path, 'lost'), join(world.path, '.lost'));
    assert.is((await states())[0], kept);
    renameSync(join(world.path, '.lost'), join(world.path, 'lost'));
    const again = await states();
    assert.is(again[0], kept);
    assert.equal(again[1]?.stamp, lost?.stamp);
    assert.is.not(again[1], lost);
  }),
);

test('drops the threads of a removed mailbox', async () => {
  const index = new ThreadIndex(undefined);
  for (const mailbox of ['kept', 'lost'])
    await index.add(mailbox, 'a', { version: '', thread: 'one' });
  await index.keepOnly(new Set(['kept']));
  assert.equal(await index.idsIn('kept', 'one'), ['a']);
  assert.equal(await index.idsIn('lost', 'one'), []);
});

test(
  'reports every attachment of a large removed mailbox',
  inWorld(async (world) => {
    twoMaildirs(world);
    const config = { folders: [], attachments: true };
    const store = new MailStore(connectorContext({ config, target: world.target() }));
    const attachments = Array.from({ length: 200 }, (_, number) => `${number}.txt`);
    const items = new Map(
      Array.from({ length: 1000 }, (_, number) => [`${number}`, { version: '', attachments }]),
    );
    const before = { settings: '', folders: new Map([['gone', { stamp: '', items }]]) };
    let removed = 0;
    for await (const change of streamChangesSince(store, [], before, new Map(), true, calm()))
      if ('removed' in change) removed++;
    assert.is(removed, 200_001);
  }),
);

test.run();
