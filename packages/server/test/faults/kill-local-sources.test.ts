// test-timeout: 600
// test-slow
// test-waits
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startHttpBackend } from '@trove/test-support/git-http-backend.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { seededRandom } from '@trove/test-support/random.js';
import { add, hasEnded, jobEnd, jobOf } from './support/api.js';
import { assertSame, withoutRevisions } from './support/snapshot.js';
import { Reference, snapshotOfHome, World } from './support/world.js';

/** A job whose listing ends three processes is set aside. */
const killsOfOneJob = 2;
const items = 150;

const test = suite('mailboxes and repositories, read by a server that is killed');
const random = seededRandom('mailboxes and repositories, read by a server that is killed');

const textOf = (number: number, edition: number): string =>
  `What number ${number} says in edition ${edition % (2 + (number % 3))} of the harbour.\n`;

/** Mailboxes of both kinds at a path. New, deleted and moved mails depend on the version. */
async function writeMail(root: string, edition: number): Promise<string> {
  const messageOf = (number: number): string =>
    `Message-ID: <${number}@x>\nFrom: Ada <ada@example.org>\nSubject: Matter ${number % 20}\nReferences: <${number % 20}@x>\n\n${textOf(number, 0)}`;
  const wanted = Array.from({ length: items }, (_, at) => at + 7 * edition);
  for (const folder of ['cur', 'new', 'tmp'])
    await mkdir(join(root, 'Maildir', folder), { recursive: true });
  const fresh = join(root, 'Maildir', 'new');
  for (const name of await readdir(fresh)) {
    const number = Number.parseInt(name, 10);
    if (!wanted.includes(number)) await rm(join(fresh, name));
    // The mail has been marked.
    else if (number % 13 === edition)
      await rename(join(fresh, name), join(root, 'Maildir', 'cur', `${name}:2,F`));
  }
  for (const number of wanted.slice(edition === 0 ? 0 : -7))
    await writeFile(join(fresh, `${number}.a.host`), messageOf(number));
  const all = wanted.map(
    (each) => `From ada@example.org Thu Feb 29 12:00:00 2024\n${messageOf(each)}\n`,
  );
  await writeFile(join(root, 'archive.mbox'), all.join(''));
  return `mbox://local${root}`;
}

async function writeRepository(root: string, edition: number): Promise<string> {
  await mkdir(root, { recursive: true });
  const git = (...args: readonly string[]): void => {
    const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    execFileSync('git', [...who, ...args], { cwd: root, env });
  };
  if (edition === 0) git('init', '-q', '-b', 'main');
  for (let number = 0; number < items; number++) {
    const path = join(root, `note-${number}.md`);
    if (number % 11 === edition) await rm(path, { force: true });
    else await writeFile(path, `# Note ${number}\n\n${textOf(number, edition)}`);
    if (number % 50 !== 0) continue;
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', `Edition ${edition} as far as ${number}`);
  }
  git('add', '-A');
  git('commit', '-q', '-m', `Edition ${edition}`);
  return `git+file://local${root}`;
}

for (const [name, write] of [
  ['mail in files', writeMail],
  ['a repository', writeRepository],
] as const)
  test(`leaves the index of an undisturbed sync of ${name}`, async () => {
    const world = await World.make();
    try {
      const reference = new Reference(world.path('reference'));
      let server = world.run();
      let killed = 0;
      for (const edition of [0, 1]) {
        const target = await write(world.path('source'), edition);
        const { left, ms } = await reference.sync([target]);
        const id = await add(await server.url(), target);
        for (let kills = 0; kills < killsOfOneJob; kills++) {
          await delay(random() * ms);
          if (hasEnded(await jobOf(await server.url(), id))) break;
          await server.end('SIGKILL');
          killed++;
          server = world.run();
        }
        const job = await jobEnd(await server.url(), id);
        assert.is(job.status, 'succeeded', JSON.stringify(job));
        const own = await snapshotOfHome(world.path('home'));
        assertSame(withoutRevisions(own), withoutRevisions(left), `edition ${edition}`);
      }
      console.log(`${killed} kills`);
      await server.end('SIGTERM');
    } finally {
      await world.remove();
    }
  });

test('leaves the index of an undisturbed sync when the git host is killed, too', async () => {
  const world = await World.make();
  const host = await startHttpBackend(world.root);
  try {
    const target = `git+http://${host.host}/source/.git`;
    const reference = new Reference(world.path('reference'));
    let server = world.run();
    for (const edition of [0, 1]) {
      await writeRepository(world.path('source'), edition);
      const { left } = await reference.sync([target]);
      // The host breaks its response once until the server is killed, and once until the host is killed.
      let sent = 0;
      host.faultOf = (path) => {
        if (!path.endsWith('/git-upload-pack')) return 'answer';
        sent++;
        if (sent === 1) return { breakAfter: 200 };
        return sent === 3 || sent === 5 ? { stopAfter: 200 } : 'answer';
      };
      let id = await add(await server.url(), target);
      await waitUntil(() => sent >= 3, 'the server waits for the host');
      await server.end('SIGKILL');
      server = world.run();
      const url = await server.url();
      await waitUntil(() => sent >= 5, 'it waits once more');
      await host.restart();
      // Objects that failed repeatedly are done at the next sync.
      for (let job = await jobEnd(url, id); job.status !== 'succeeded';) {
        id = await add(url, target);
        job = await jobEnd(url, id);
      }
      assertSame(await snapshotOfHome(world.path('home')), left, `edition ${edition}`);
    }
    await server.end('SIGTERM');
  } finally {
    await world.remove();
    await host.stop();
  }
});

test.run();
