import { withoutCheckpoints } from '@trove/core';
// test-waits
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { noMailServer, startMailServer } from '@trove/test-support/mail-server.js';
import { withTimeout, waitUntil } from '@trove/test-support/waiting.js';
import { startTcpProxy } from '@trove/test-support/tcp-proxy.js';
import { testUnless } from '@trove/test-support/skips.js';
import { Account } from './imap-support.js';
import { calm, changed, message, recordsOf } from './support.js';

const test = suite('updates of a mail server');
const inbox = 'INBOX/messages.jsonl';

/** Runs `work` while `performance.now` stands still. */
async function withFrozenClock<T>(work: () => Promise<T>): Promise<T> {
  const { now } = performance;
  const moment = performance.now();
  performance.now = () => moment;
  try {
    return await work();
  } finally {
    performance.now = now;
  }
}

if (noMailServer === null) {
  const server = await startMailServer();
  test.after(() => server.stop());

  test('resumes IDLE after commands on the same connection', async () => {
    const account = new Account(server);
    await account.create('Other');
    await account.append('Other', message({ id: 'other@x' }));
    const proxy = await startTcpProxy(server.port);
    let [reported, idles] = [0, 0];
    const commands: string[] = [];
    proxy.onServerData = (said) => void (said.includes('+ idling') && idles++);
    proxy.shouldEnd = (said) => {
      commands.push(said.trim().replace(/^\w+ /, ''));
      return false;
    };
    const listening = new AbortController();
    const connector = account.connector({}, account.targetAt(proxy.port));
    const listen = async (): Promise<void> => {
      for await (const path of connector.watch?.({ signal: listening.signal }) ?? []) {
        assert.is(path, '');
        reported++;
      }
    };
    const end = listen().catch(() => undefined);
    const isListening = (): Promise<void> => waitUntil(() => idles > 0, 'it listens');
    let { cursor } = await changed(connector);
    for (const id of ['a@x', 'b@x']) {
      await isListening();
      const before = reported;
      const next = await withFrozenClock(async () => {
        await account.append('INBOX', message({ id }));
        await waitUntil(() => reported > before, 'it is told');
        idles = 0;
        commands.length = 0;
        return changed(connector, cursor);
      });
      cursor = next.cursor;
      const [entry] = next.changes;
      const isNew = entry !== undefined && ('records' in entry || 'entry' in entry);
      assert.ok(isNew, JSON.stringify(next.changes));
      assert.not.ok(
        commands.some((said) => /^(?:NOOP|AUTHENTICATE|LOGIN)/.test(said)),
        commands.join('\n'),
      );
    }

    // A change during the use of another folder is found when IDLE resumes.
    await isListening();
    const before = reported;
    const records = connector.records?.('Other/messages.jsonl', { signal: calm() });
    for await (const { fields } of withoutCheckpoints(records ?? [])) {
      assert.is(fields['message_id'], 'other@x');
      await account.append('INBOX', message({ id: 'c@x' }));
      idles = 0;
    }
    await waitUntil(() => reported > before, 'it reports the missed change');
    assert.is((await recordsOf(connector, inbox)).length, 3);

    listening.abort();
    await withTimeout(end, 'it ends');
    assert.is(proxy.cut(), 1);
    await proxy.stop();
    await account.remove();
  });
} else testUnless(noMailServer, test)('resumes IDLE after commands', () => undefined);

test.run();
