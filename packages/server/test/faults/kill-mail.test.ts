// test-timeout: 600
// test-slow
// test-waits
import { suite } from 'uvu';
import { noMailServer, startMailServer } from '@trove/test-support/mail-server.js';
import { MailAccount } from '@trove/test-support/mail-account.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { seededRandom } from '@trove/test-support/random.js';
import { startTcpProxy } from '@trove/test-support/tcp-proxy.js';
import { testUnless } from '@trove/test-support/skips.js';
import { add, hasEnded, jobEnd, jobOf } from './support/api.js';
import { assertSame, withoutRevisions, type Snapshot } from './support/snapshot.js';
import { Reference, snapshotOfHome, World } from './support/world.js';

const messages = 120;
const variable = 'TROVE_TEST_KILLED_MAIL';
const config = { password: `env:${variable}` };

const test = suite('mail whose server, connection or reader is killed');
const onServer = testUnless(noMailServer, test);
const random = seededRandom('mail whose server, connection or reader is killed');

function message(number: number, body = `What number ${number} says of the harbour.`): string {
  const headers = [
    `Message-ID: <${number}@x>`,
    `From: Person ${number % 7} <p${number % 7}@example.org>`,
    `Subject: Matter ${number % 30}`,
    'Date: Thu, 29 Feb 2024 12:00:00 +0000',
    ...(number < 30 ? [] : [`References: <${number % 30}@x>`]),
    'MIME-Version: 1.0',
  ];
  if (number % 10 !== 0) return `${headers.join('\n')}\n\n${body}\n`;
  const file = `Content-Disposition: attachment; filename=notes-${number}.txt\n\nNotes of ${number}.`;
  return `${headers.join('\n')}\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n${body}\n--b\n${file}\n--b--\n`;
}

/**
 * Omits the fingerprints of folders. A restarted server may continue with a lower HIGHESTMODSEQ, and a folder that is read
 * whole after changes of its single records states none.
 */
function comparable(snapshot: Snapshot): Snapshot {
  const { rows, objects } = withoutRevisions(snapshot);
  const stated = (text: unknown): string =>
    String(text).replace(/"fingerprint":(?:null|"[\d ]+")/, '"fingerprint":0');
  return { rows, objects: objects.map((cells) => ({ ...cells, stated: stated(cells['stated']) })) };
}

const changes = [
  async (account: MailAccount) => {
    for (const folder of ['Work', 'Old', 'New']) await account.create(folder);
    for (let at = 0; at < messages; at++)
      await account.append(['INBOX', 'Work', 'Old', 'New'][at % 4] ?? '', message(at));
  },
  async (account: MailAccount) => {
    for (const uid of [1, 5, 9]) await account.delete('INBOX', uid);
    for (const uid of [2, 6]) await account.move('INBOX', uid, 'Work');
    await account.flag('Work', 3, '\\Flagged');
    for (let at = 200; at < 230; at++) await account.append('INBOX', message(at));
    const client = await account.client();
    await client.mailboxRename('Old', 'Older');
    await account.delete('Older', 4);
    // Its UIDs mean other messages now.
    await account.deleteFolder('New');
    await account.create('New');
    for (let at = 300; at < 310; at++) await account.append('New', message(at, 'A new anchor.'));
  },
];

onServer('leave the index of an undisturbed sync', async () => {
  const world = await World.make();
  const mail = await startMailServer();
  const proxy = await startTcpProxy(mail.port);
  const account = new MailAccount(mail);
  const target = account.targetAt(proxy.port);
  const reference = new Reference(world.path('reference'));
  process.env[variable] = mail.password;
  const env = { [variable]: mail.password };
  let server = world.run('home', env);
  try {
    for (const [at, change] of changes.entries()) {
      await change(account);
      const before = proxy.bytes;
      const { left } = await reference.sync([target], { config });
      const size = proxy.bytes - before;
      let id = await add(await server.url(), target, { config });
      const kinds = [
        async () => void proxy.cut(),
        () => mail.restart(),
        async () => {
          await server.end('SIGKILL');
          server = world.run('home', env);
        },
      ];
      let killed = 0;
      for (const kill of kinds.toSorted(() => random() - 0.5)) {
        // A random point during a sync.
        const goal = proxy.bytes + random() * 0.5 * size;
        const url = await server.url();
        const isOver = async (): Promise<boolean> => hasEnded(await jobOf(url, id));
        await waitUntil(async () => proxy.bytes >= goal || isOver(), 'the mail is read').catch(
          async (error: unknown) => {
            const job = JSON.stringify(await jobOf(url, id));
            throw new Error(`${String(error)}\n${job}\n${server.stderr}`);
          },
        );
        if (await isOver()) break;
        await kill();
        killed++;
      }
      console.log(`${killed} kills in sync ${at}`);
      // A read that failed repeatedly is done at the next sync.
      for (let job = await jobEnd(await server.url(), id); job.status !== 'succeeded';) {
        id = await add(await server.url(), target, { config });
        job = await jobEnd(await server.url(), id);
      }

      const own = await snapshotOfHome(world.path('home'));
      assertSame(comparable(own), comparable(left), `change ${at}`);
    }
    await server.end('SIGTERM');
  } finally {
    delete process.env[variable];
    await account.leave();
    await world.remove();
    await proxy.stop();
    await mail.stop();
  }
});

test.run();
