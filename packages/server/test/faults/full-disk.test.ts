// test-timeout: 600
// test-slow
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StatusResponse } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seededRandom } from '@trove/test-support/random.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { testUnless } from '@trove/test-support/skips.js';
import { add, call, jobEnd, jobOf } from './support/api.js';
import { Corpus } from './support/corpus.js';
import { tarOf } from '../support/archives.js';
import { mountMemory, unmount, whyNoMounts } from './support/folders.js';
import { token } from './support/server-process.js';
import { assertSame } from './support/snapshot.js';
import { Reference, snapshotOfHome, World } from './support/world.js';

const MiB = 1024 * 1024;
const files = 200;

const test = suite('disks that refuse');
const random = seededRandom('disks that refuse');
let world: World;
const mounted: string[] = [];

test.before(async () => {
  world = await World.make();
});
test.after(async () => {
  await world.remove().catch(() => undefined);
  for (const folder of mounted) unmount(folder);
  await world.remove();
});

const mounting = testUnless(whyNoMounts(), test);

type DiskRow = StatusResponse['disk_space'][number];

/** A mounted folder. */
function mount(name: string, options: string): string {
  const folder = world.path(name);
  assert.is(mountMemory(folder, options), null);
  mounted.push(folder);
  return folder;
}

/** Fills the disk except for the given free space. */
async function fill(folder: string, leave: number): Promise<string> {
  const { bavail, bsize } = await statfs(folder);
  const ballast = join(folder, 'ballast');
  await writeFile(ballast, new Uint8Array(bavail * bsize - leave));
  return ballast;
}

for (const leave of [0.25 * MiB, 1.5 * MiB]) {
  mounting(
    `a disk with ${leave / MiB} MiB left: a clear error, and nothing is lost or broken`,
    async () => {
      const home = mount(`home-${leave}`, 'size=64m');
      const corpus = new Corpus(world.path(`docs-${leave}`), random);
      await corpus.add(files);
      const server = world.run(`home-${leave}`);
      const url = await server.url();
      const first = await jobEnd(url, await add(url, corpus.root));
      assert.is(first.status, 'succeeded');
      const before = await call<{ results: unknown[] }>(url, '/v1/search?q=harbour1&mode=keyword');
      assert.ok(before.results.length > 0);
      // The disk is smaller than the limit for the warning.
      assert.equal(await call(url, '/readyz'), { status: 'ready', warnings: ['disk_low'] });

      const ballast = await fill(home, leave);
      await corpus.change();
      const added = await add(url, corpus.root, { full: true }).catch((error: unknown) => error);
      await server.logged('the disk is full');
      const during = await call<{ results: unknown[] }>(url, '/v1/search?q=harbour1&mode=keyword');
      assert.ok(during.results.length > 0, 'what was indexed is found while the disk is full');

      let disks: readonly DiskRow[] = [];
      await waitUntil(async () => {
        ({ disk_space: disks } = await call<StatusResponse>(url, '/v1/status'));
        return disks[0]?.state === 'full';
      }, 'the status shows the full disk');
      assert.equal(
        disks.map(({ name }) => name),
        ['home'],
      );
      assert.match(disks[0]?.detail ?? '', /is full .*free some space/);
      assert.equal(await call(url, '/readyz'), { status: 'ready', warnings: ['disk_low'] });
      if (typeof added === 'string') {
        const { obstacle, finished_at: ended } = await jobOf(url, added);
        assert.ok(ended !== null || obstacle?.code === 'disk_full');
      }

      await rm(ballast);
      if (typeof added === 'string') {
        const job = await jobEnd(url, added);
        // A job that only sometimes failed to write may have finished after retries.
        const ended = [job.status, job.error].join();
        assert.match(ended, /^(failed,disk_full|succeeded,)$/);
      } else {
        assert.match(String(added), /disk_full.*disk is full/);
      }
      const again = await jobEnd(url, await add(url, corpus.root, { full: true }));
      assert.is(again.status, 'succeeded', JSON.stringify(again));
      assert.is((await jobOf(url, again.id)).error, null);
      const { left } = await new Reference(world.path(`reference-${leave}`)).sync([corpus.root]);
      assertSame(await snapshotOfHome(home), left, 'after space was made');
      assert.is((await server.end('SIGTERM')).code, 0);
    },
  );
}

test('a file in place of the home: exit 1 with advice', async () => {
  await writeFile(world.path('a-file'), '');
  for (const home of ['a-file', 'a-file/below']) {
    const server = world.run(home);
    assert.is((await server.exited).code, 1);
    assert.match(server.stderr, /^error: The home .*a-file.* cannot be used: E(NOTDIR|EXIST)/m);
    assert.match(server.stderr, /TROVE_HOME/);
  }
});

mounting('a home that is read-only: exit 1, and words that help', async () => {
  mount('read-only', 'ro');
  const server = world.run('read-only');
  assert.is((await server.exited).code, 1);
  assert.match(server.stderr, /^error: The home .*read-only cannot be used: EROFS/m);
  assert.match(server.stderr, /Make the folder writable/);
});

mounting('a disk that takes no uploads: a refusal in words, and the rest goes on', async () => {
  const uploads = mount('uploads', 'ro');
  const server = world.run('home-uploads', { TROVE_UPLOADS_PATH: uploads });
  const response = await fetch(`${await server.url()}/v1/upload?name=notes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-tar' },
    body: new Uint8Array(tarOf({ name: 'a.txt', content: 'a' })),
  });
  const answer = await response.text();
  assert.is(response.status, 503, `${answer}${server.stderr}`);
  assert.match(answer, /storage_unavailable.*The server cannot store the upload/);
});

test('an index folder that is a file: exit 1 with advice', async () => {
  await mkdir(world.path('odd'));
  await writeFile(world.path('odd', 'index.lance'), '');
  const server = world.run('odd');
  assert.is((await server.exited).code, 1);
  assert.match(server.stderr, /^error: The index folder .*index\.lance cannot be created/m);
});

test.run();
