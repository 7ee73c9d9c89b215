import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { noMailServer, startMailServer } from '@trove/test-support/mail-server.js';
import { testUnless } from '@trove/test-support/skips.js';
import { Account } from './imap-support.js';
import { changed, message } from './support.js';

const test = suite('deletion flags on a mail server');

if (noMailServer === null) {
  const server = await startMailServer();
  const account = new Account(server);
  test.after(async () => {
    await account.remove();
    await server.stop();
  });

  test('treats messages with a deletion flag as removed', async () => {
    const uids: number[] = [];
    for (const id of ['a@x', 'b@x', 'c@x'])
      uids.push(await account.append('INBOX', message({ id })));
    const [first = 0, second = 0, third = 0] = uids;
    const connector = account.connector();
    let { cursor } = await changed(connector);
    const readChanges = async (): Promise<unknown[]> => {
      const next = await changed(connector, cursor);
      cursor = next.cursor;
      return next.changes.map((change) =>
        'records' in change
          ? [
              change.records.map(({ key }) => key['uid']),
              change.removedKeys.map((key) => key['uid']),
            ]
          : change,
      );
    };
    // A read-write CLOSE would expunge flagged messages.
    const setDeleted = async (uid: number, isMarked: boolean): Promise<void> => {
      const client = await account.client();
      await client.mailboxOpen('INBOX');
      const [range, flags, options] = [String(uid), ['\\Deleted'], { uid: true }] as const;
      if (isMarked) await client.messageFlagsAdd(range, [...flags], options);
      else await client.messageFlagsRemove(range, [...flags], options);
      await client.mailboxOpen('INBOX', { readOnly: true });
    };
    await setDeleted(second, true);
    assert.equal(await readChanges(), [[[], [second]]]);
    await setDeleted(second, false);
    assert.equal(await readChanges(), [[[second], []]]);
    await account.delete('INBOX', first);
    const fourth = await account.append('INBOX', message({ id: 'd@x' }));
    assert.equal(await readChanges(), [[[fourth], [first]]]);
    const fifth = await account.append('INBOX', message({ id: 'e@x' }));
    await setDeleted(fifth, true);
    assert.equal(await readChanges(), []);
    await account.delete('INBOX', fifth);
    assert.equal(await readChanges(), []);
    await account.delete('INBOX', third);
    assert.equal(await readChanges(), [[[], [third]]]);
  });
} else
  testUnless(noMailServer, test)(
    'treats messages with a deletion flag as removed',
    () => undefined,
  );

test.run();
