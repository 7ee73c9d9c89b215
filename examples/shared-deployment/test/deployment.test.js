// test-timeout: 600
// test-waits
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  Reference,
  snapshotOfPostgres,
} from '../../../packages/server/test/faults/support/world.js';
import { assertSame } from '../../../packages/server/test/faults/support/snapshot.js';
import { noObjectStore } from '@trove/test-support/object-store.js';
import { testUnless } from '@trove/test-support/skips.js';
import { Deployment } from '../deployment.js';
import { prove } from '../prove.js';

/** Enough for a job that a busy machine does not end between two looks at it. */
const fileCount = 400;
const headings =
  'harbour lantern orchard granite willow copper meadow thunder velvet compass'.split(' ');

const test = suite('a shared deployment');
const onCeph = testUnless(noObjectStore, test);
let work;
let deployment;

test.before(async () => {
  if (noObjectStore !== null) return;
  work = await mkdtemp(join(tmpdir(), 'trove-shared-test-'));
  deployment = await Deployment.start({ servers: 2, workers: 2 });
});
test.after(async () => {
  await deployment?.stop();
  if (work !== undefined) await rm(work, { recursive: true });
});

/** One client for each server. */
const clients = () => deployment.servers.map(({ url }) => deployment.client(url));

onCeph('loses nothing when workers and a server are killed under load', async () => {
  const folder = join(work, 'notes');
  await mkdir(folder);
  for (let n = 0; n < fileCount; n++) {
    const sections = headings.map(
      (word, at) => `## ${word} ${n + at}\n\nThe ${word} of note ${n}.\n`,
    );
    await writeFile(join(folder, `${n}.md`), `# Note ${n}\n\n${sections.join('\n')}`);
  }
  const { objects, answered } = await prove(deployment, folder, ['lantern', 'note 7', 'copper']);
  assert.is(objects, fileCount);
  assert.ok(answered > 0, 'no search ran meanwhile');
  const { left } = await new Reference(join(work, 'reference')).sync([folder]);
  assertSame(await snapshotOfStore(), left, 'after the kills');
});

onCeph('objects indexed through one server are found through the others', async () => {
  const folder = join(work, 'fresh');
  await mkdir(folder);
  for (const [turn, client] of clients().entries()) {
    await writeFile(join(folder, 'word.md'), `The word of the day is gannet${turn}.\n`);
    await client.ingest.addSource({ body: { target: folder, process: true } });
    for (const each of clients()) {
      const { results } = await each.retrieval.search({ q: `gannet${turn}`, path: folder });
      assert.match(results[0]?.content ?? '', `gannet${turn}`);
    }
  }
});

onCeph('files uploaded to one server are read, replaced and removed through all', async () => {
  const [first, second] = clients();
  await send(first, 'The otter of the first upload.\n');
  await send(second, 'The otter of the second upload.\n');
  for (const each of clients()) {
    const { content } = await each.browse.cat({ path: 'file://sent/otter.md' });
    assert.is(content, 'The otter of the second upload.\n');
    const { results } = await each.retrieval.search({ q: 'otter', path: 'file://sent' });
    assert.equal(
      results.map(({ content: text }) => text),
      ['The otter of the second upload.'],
    );
  }
  await first.connectors.removeConnector({ target: 'file://sent' });
  for (const each of clients()) {
    const error = await each.browse.cat({ path: 'file://sent/otter.md' }).catch((thrown) => thrown);
    assert.is(error.code, 'not_found');
  }
});

onCeph('files in the private folder of a server fail until they are sent again', async () => {
  const lonely = deployment.startServer('lonely', {
    TROVE_UPLOADS_PATH: join(work, 'lonely'),
  });
  await lonely.waitForOutput(/listening on/);
  await send(deployment.client(lonely.url), 'The otter of a lonely server.\n');
  await lonely.stop();
  const path = 'file://sent/otter.md';
  for (const each of clients()) {
    const error = await each.browse.cat({ path }).catch((thrown) => thrown);
    assert.is(error.code, 'connector_unhealthy');
    assert.match(error.detail, 'uploads');
  }
  const [first, second] = clients();
  await send(first, 'The otter is back.\n');
  assert.is((await second.browse.cat({ path })).content, 'The otter is back.\n');
});

onCeph('Ctrl-C ends all processes and leaves no files', async () => {
  const place = join(work, 'interrupted');
  await mkdir(place);
  // PostgreSQL runs as another user if this is root.
  await Promise.all([work, place].map((folder) => chmod(folder, 0o755)));
  const start = fileURLToPath(new URL('../start.js', import.meta.url));
  const example = spawn(process.execPath, [start], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: place },
  });
  const closed = once(example, 'close');
  let output = '';
  for await (const text of example.stdout) {
    output += text;
    // Sends the signal to all processes of the group, as a terminal does.
    if (output.includes('Indexing')) process.kill(-(example.pid ?? 0), 'SIGINT');
  }
  assert.equal(await closed, [0, null], output);
  // The native library of the index leaves empty folders.
  const left = await readdir(place);
  assert.equal(
    left.filter((name) => !name.startsWith('.tmp')),
    [],
  );
});

/** Sends a folder of one file as an archive, and waits for its job. */
async function send(client, text) {
  const folder = await mkdtemp(join(work, 'sent-'));
  await writeFile(join(folder, 'otter.md'), text);
  const body = execFileSync('tar', ['-C', folder, '-cf', '-', '.']);
  const upload = { name: 'sent', process: true, contentType: 'application/x-tar', body };
  await client.ingest.uploadSource(upload);
}

/** Reads all rows and objects from the database and the object store. */
function snapshotOfStore() {
  const { DATABASE_URL, STORE_ENDPOINT, STORE_KEY, STORE_SECRET } = deployment.environment;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: STORE_ENDPOINT,
    AWS_ACCESS_KEY_ID: STORE_KEY,
    AWS_SECRET_ACCESS_KEY: STORE_SECRET,
    AWS_REGION: 'us-east-1',
    AWS_ALLOW_HTTP: 'true',
  });
  return snapshotOfPostgres(DATABASE_URL, 's3://trove/index');
}

test.run();
