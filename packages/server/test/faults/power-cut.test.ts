// test-timeout: 400
// test-slow
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobResponse } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '@trove/test-support/waiting.js';
import { testUnless } from '@trove/test-support/skips.js';
import { tarOf } from '../support/archives.js';
import { treesIn } from '../support/trees.js';
import { call, hasEnded, jobEnd } from './support/api.js';
import { DiskImage, noDiskImages } from './support/disk-image.js';
import { token, type ServerProcess } from './support/server-process.js';
import { World } from './support/world.js';

/* The content of the disk at the time of the response: a second server uses a copy of its image. */

const test = suite('a power cut');

function whyNot(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'trove-power-'));
  const reason = noDiskImages(join(folder, 'image'), join(folder, 'disk'));
  rmSync(folder, { recursive: true, force: true });
  return reason;
}
const onDisk = testUnless(whyNot(), test);

let world: World;
const disks: DiskImage[] = [];
test.before.each(async () => {
  world = await World.make();
});
test.after.each(async () => {
  await world.end();
  for (const disk of disks.splice(0)) disk.unmount();
  await world.remove();
});

/** A server with its home on a separate disk. */
function serverOnDisk(): { server: ServerProcess; disk: DiskImage } {
  const disk = DiskImage.make(world.path('image'), world.path('disk'));
  disks.push(disk);
  return { server: world.run('disk/home'), disk };
}

/** The next server, on the current content of the disk. */
async function serverAfterPowerCut(disk: DiskImage): Promise<ServerProcess> {
  disks.push(disk.afterPowerCut(world.path('image-cut'), world.path('disk-cut')));
  await world.end();
  return world.run('disk-cut/home');
}

async function request(url: string, path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-tar' },
  });
  assert.is(response.status, 200, await response.clone().text());
  return response;
}

async function send(url: string, archive: Uint8Array): Promise<JobResponse> {
  const path = '/v1/upload?name=notes&process=false';
  const response = await request(url, path, { method: 'POST', body: new Uint8Array(archive) });
  const { job_id: id } = (await response.json()) as { job_id: string };
  return jobEnd(url, id);
}

async function textOf(url: string, name: string): Promise<string> {
  const path = `/v1/cat?path=file://notes/${name}`;
  return (await call<{ content: string }>(url, path)).content;
}

for (const count of [3, 600]) {
  onDisk(`keeps ${count} uploaded files after the response`, async () => {
    const { server, disk } = serverOnDisk();
    const url = await server.url();
    const archive = (text: string) =>
      tarOf(
        { name: 'kept.txt', content: 'kept' },
        ...Array.from({ length: count }, (_, n) => ({ name: nameOf(n), content: text })),
      );
    await send(url, archive('first'));
    disk.flush();
    await send(url, archive('second'));
    const isReplaced = async () => (await treesIn(join(disk.folder, 'home'))).length === 1;
    await waitUntil(isReplaced, 'the first tree is gone');

    const next = await (await serverAfterPowerCut(disk)).url();
    for (let n = 0; n < count; n += Math.ceil(count / 20)) {
      assert.is(await textOf(next, nameOf(n)), 'second', nameOf(n));
    }
    assert.is(await textOf(next, 'kept.txt'), 'kept');
    const swept = async () => (await treesIn(world.path('disk-cut', 'home'))).length === 1;
    await waitUntil(swept, 'what was being removed is gone');
    const settled = async () => (await call<JobResponse[]>(next, '/v1/jobs')).every(hasEnded);
    await waitUntil(settled, 'the interrupted job has ended');
    assert.is((await send(next, archive('third'))).status, 'succeeded');
    const query = '/v1/search?q=kept&mode=keyword';
    const { results } = await call<{ results: { source: string }[] }>(next, query);
    assert.ok(results.some(({ source }) => source === 'file://notes/kept.txt'));
  });
}

onDisk('a source that was removed does not come back without its files', async () => {
  const { server, disk } = serverOnDisk();
  const url = await server.url();
  await send(url, tarOf({ name: 'a.txt', content: 'a' }));
  disk.flush();
  await request(url, '/v1/connectors?target=file://notes', { method: 'DELETE' });
  const next = await (await serverAfterPowerCut(disk)).url();
  const { connectors } = await call<{ connectors: unknown[] }>(next, '/v1/status');
  assert.equal(connectors, []);
});

function nameOf(n: number): string {
  return `deep/${n % 7}/${n}.txt`;
}

test.run();
