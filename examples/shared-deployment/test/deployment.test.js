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

const FILES = 120;
const WORDS = 'harbour lantern orchard granite willow copper meadow thunder velvet compass'.split(
  ' ',
);

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

onCeph('ends as an undisturbed one when workers and a server are killed under load', async () => {
  const folder = join(work, 'notes');
  await mkdir(folder);
  for (let n = 0; n < FILES; n++) {
    const sections = WORDS.map((word, at) => `## ${word} ${n + at}\n\nThe ${word} of note ${n}.\n`);
    await writeFile(join(folder, `${n}.md`), `# Note ${n}\n\n${sections.join('\n')}`);
  }
  const { objects, answered } = await prove(deployment, folder, ['lantern', 'note 7', 'copper']);
  assert.is(objects, FILES);
  assert.ok(answered > 0, 'nobody searched meanwhile');
  const { left } = await new Reference(join(work, 'reference')).sync([folder]);
  assertSame(await snapshotOfStore(), left, 'after the kills');
});

onCeph('what one server has indexed the others find at once', async () => {
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

onCeph('files sent to one server are read, replaced and removed through the others', async () => {
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

onCeph(
  'files that one server keeps elsewhere are missed aloud, until they are sent again',
  async () => {
    const lonely = deployment.startServer('lonely', {
      TROVE_UPLOADS_PATH: join(work, 'lonely'),
    });
    await lonely.says(/listening on/);
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
  },
);

onCeph('Ctrl-C, at any time, ends all of it and leaves nothing behind', async () => {
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
  let said = '';
  for await (const text of example.stdout) {
    said += text;
    // To all processes of its group, as a terminal does.
    if (said.includes('Indexing')) process.kill(-(example.pid ?? 0), 'SIGINT');
  }
  assert.equal(await closed, [0, null], said);
  // What the native library of the index leaves are empty folders.
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

/** All rows and objects, as the database and the object store hold them. */
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
