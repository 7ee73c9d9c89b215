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

  test('treats messages flagged as deleted as removed until the flag is removed', async () => {
    const uids: number[] = [];
    for (const id of ['a@x', 'b@x', 'c@x'])
      uids.push(await account.append('INBOX', message({ id })));
    const [first = 0, second = 0, third = 0] = uids;
    const connector = account.connector();
    let { cursor } = await changed(connector);
    const told = async (): Promise<unknown[]> => {
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
    const mark = async (uid: number, isMarked: boolean): Promise<void> => {
      const client = await account.client();
      await client.mailboxOpen('INBOX');
      const [range, flags, options] = [String(uid), ['\\Deleted'], { uid: true }] as const;
      if (isMarked) await client.messageFlagsAdd(range, [...flags], options);
      else await client.messageFlagsRemove(range, [...flags], options);
      await client.mailboxOpen('INBOX', { readOnly: true });
    };
    await mark(second, true);
    assert.equal(await told(), [[[], [second]]]);
    await mark(second, false);
    assert.equal(await told(), [[[second], []]]);
    await account.delete('INBOX', first);
    const fourth = await account.append('INBOX', message({ id: 'd@x' }));
    assert.equal(await told(), [[[fourth], [first]]]);
    const fifth = await account.append('INBOX', message({ id: 'e@x' }));
    await mark(fifth, true);
    assert.equal(await told(), []);
    await account.delete('INBOX', fifth);
    assert.equal(await told(), []);
    await account.delete('INBOX', third);
    assert.equal(await told(), [[[], [third]]]);
  });
} else
  testUnless(noMailServer, test)('treats messages flagged as deleted as removed', () => undefined);

test.run();
