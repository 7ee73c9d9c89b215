import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeS3 } from '@trove/test-support/fake-s3.js';
import { listen } from '@trove/test-support/listen.js';
import { codeOf } from '@trove/test-support/rejection.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTrove, resolveSettings, restoreBackup, type Trove } from '../src/index.js';

const test = suite<{ root: string }>('backups');
const files = 600;

test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-backup-'));
  await mkdir(join(context.root, 'docs'));
});
test.after.each(({ root }) => rm(root, { recursive: true, force: true }));

const nameOf = (at: number) => `note-${String(at).padStart(4, '0')}.md`;

async function writeDocs(root: string, version: string): Promise<void> {
  for (let at = 0; at < files; at++) {
    const text = `# Note ${at}\n\nThis is the ${version} lighthouse of note${at}.\n`;
    await writeFile(join(root, 'docs', nameOf(at)), text);
  }
}

async function backUp(trove: Trove, to: string): ReturnType<Trove['backups']['state']> {
  await trove.backups.start({ to });
  await waitUntil(
    async () => (await trove.backups.state()).status !== 'running',
    'the backup ends',
  );
  const state = await trove.backups.state();
  assert.is(state.status, 'succeeded', JSON.stringify(state));
  return state;
}

function restore(from: string, home: string) {
  return restoreBackup({ from, settings: resolveSettings({}, { home }) });
}

/** Returns the version of each note in the index, by its URI. */
async function versionsOf(trove: Trove): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (let offset = 0; ; offset += 1000) {
    const request = { q: 'lighthouse', mode: 'keyword', top_k: 1000, offset } as const;
    const { results } = await trove.search(request);
    for (const { source, content } of results) {
      assert.not.ok(versions.has(source), `${source} is there twice`);
      versions.set(source, /first|second/.exec(content)?.[0] ?? content);
    }
    if (results.length < 1000) return versions;
  }
}

async function modesBelow(folder: string): Promise<Set<string>> {
  const modes = new Set<string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    modes.add(`${entry.isDirectory() ? 'd' : 'f'} ${(mode & 0o777).toString(8)}`);
  }
  return modes;
}

test('a home restored at another place answers at once', async ({ root }) => {
  await writeFile(join(root, 'docs', 'fox.md'), 'A brown fox.');
  const trove = await createTrove({ home: join(root, 'home') });
  await writeFile(join(root, 'home', 'server.token'), 'secret', { mode: 0o600 });
  let state: Awaited<ReturnType<typeof backUp>>;
  try {
    await trove.add({ target: join(root, 'docs'), process: true });
    const graph = { documents: ['Ada built a lighthouse in Kiel.', 'Ben sails to Kiel.'] };
    await trove.graph.addDocuments('kiel', graph);
    state = await backUp(trove, join(root, 'backup'));
  } finally {
    await trove.close();
  }
  assert.equal([...(await modesBelow(join(root, 'backup')))].sort(), ['d 700', 'f 600']);
  await rm(join(root, 'home'), { recursive: true });
  const result = await restore(join(root, 'backup'), join(root, 'elsewhere', 'home'));
  assert.equal([result.files, result.bytes], [state.files, state.bytes]);
  const restored = await createTrove({ home: join(root, 'elsewhere', 'home') });
  try {
    const { results } = await restored.search({ q: 'brown fox' });
    assert.is(results[0]?.content, 'A brown fox.');
    assert.is((await restored.jobs()).length, 1);
    const [source] = (await restored.status()).connectors;
    assert.equal([source?.status, source?.object_count], ['active', 1]);
    const answer = await restored.graph.query('kiel', { question: 'Who built a lighthouse?' });
    assert.match(JSON.stringify(answer), 'Ada');
  } finally {
    await restored.close();
  }
});

test('a restore revokes the tokens of the backup unless it keeps them', async ({ root }) => {
  const trove = await createTrove({ home: join(root, 'home') });
  let token: string;
  try {
    ({ token } = await trove.createToken({ name: 'ada' }));
    await backUp(trove, join(root, 'backup'));
    await trove.revokeToken('ada');
  } finally {
    await trove.close();
  }
  for (const keepTokens of [false, true]) {
    const home = join(root, `kept-${keepTokens}`);
    const settings = resolveSettings({}, { home });
    const result = await restoreBackup({ from: join(root, 'backup'), settings, keepTokens });
    assert.equal(result.revokedTokens, keepTokens ? [] : ['ada']);
    const restored = await createTrove({ home });
    try {
      assert.is((await restored.authenticate(token))?.name, keepTokens ? 'ada' : undefined);
    } finally {
      await restored.close();
    }
  }
});

test('a backup during a sync has one of the states in between', async ({ root }) => {
  await writeDocs(root, 'first');
  const trove = await createTrove({ home: join(root, 'home') });
  const target = join(root, 'docs');
  let backups = 0;
  try {
    await trove.add({ target, process: true });
    await writeDocs(root, 'second');
    trove.startWorker();
    const { job_id } = await trove.add({ target });
    await waitUntil(async () => (await trove.job(job_id)).changed > 0, 'the job has begun');
    for (let isRunning = true; isRunning; backups++) {
      await backUp(trove, join(root, `backup-${backups}`));
      isRunning = (await trove.job(job_id)).status === 'running' && backups < 3;
    }
  } finally {
    await trove.close();
  }
  const seen = new Set<string>();
  for (let at = 0; at < backups; at++) {
    const home = join(root, `restored-${at}`);
    await restore(join(root, `backup-${at}`), home);
    const restored = await createTrove({ home });
    try {
      const versions = await versionsOf(restored);
      assert.is(versions.size, files);
      for (const version of versions.values()) {
        assert.ok(['first', 'second'].includes(version), version);
        seen.add(version);
      }
      restored.startWorker();
      const [job] = await restored.jobs();
      const ended = await restored.waitForJob(job?.id ?? '');
      assert.is(ended.status, 'succeeded', JSON.stringify(ended));
      assert.equal(new Set((await versionsOf(restored)).values()), new Set(['second']));
    } finally {
      await restored.close();
    }
  }
  assert.ok(seen.has('second'));
});

test('a restore with other settings keeps them in the home', async ({ root }) => {
  await writeFile(join(root, 'docs', 'fox.md'), 'A brown fox.');
  const trove = await createTrove({ home: join(root, 'home') });
  await writeFile(join(root, 'home', 'server.toml'), '[index]\nuri = "first.lance"\n');
  try {
    await trove.add({ target: join(root, 'docs'), process: true });
    await backUp(trove, join(root, 'backup'));
  } finally {
    await trove.close();
  }
  const settingsFile = join(root, 'other.toml');
  await writeFile(settingsFile, `[index]\nuri = "${join(root, 'elsewhere')}"\n`);
  const home = join(root, 'restored');
  const settings = { index: { uri: join(root, 'elsewhere') } };
  const resolved = resolveSettings(settings, { home });
  await restoreBackup({ from: join(root, 'backup'), settings: resolved, settingsFile });
  const kept = await readFile(join(home, 'server.toml'), 'utf8');
  assert.is(kept, await readFile(settingsFile, 'utf8'));
  const restored = await createTrove({ home, settings });
  try {
    assert.is((await restored.search({ q: 'brown fox' })).results.length, 1);
  } finally {
    await restored.close();
  }
});

/** A store that refuses the first request for each object. */
function startBusyStore(endpoint: string) {
  const refused = new Set<string>();
  return listen((request, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      const { method = 'GET', url = '/' } = request;
      const isObject = url.includes('/monday/');
      if (isObject && !refused.has(method + url)) {
        refused.add(method + url);
        return void response.writeHead(503).end();
      }
      const body = method === 'PUT' ? { body: Buffer.concat(pieces) } : {};
      const answer = await fetch(endpoint + url, { method, ...body });
      const bytes = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'content-length': bytes.length }).end(bytes);
    })();
  });
}

test('writes a backup to a bucket, and restores it', async ({ root }) => {
  await writeFile(join(root, 'docs', 'fox.md'), 'A brown fox.');
  const bucket = await startFakeS3({ ignoresConditions: false });
  await using busy = await startBusyStore(bucket.endpoint);
  const variables = {
    AWS_ENDPOINT_URL_S3: busy.origin,
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  const before = { ...process.env };
  Object.assign(process.env, variables);
  const to = 's3://backups/monday';
  const trove = await createTrove({ home: join(root, 'home') });
  try {
    await trove.add({ target: join(root, 'docs'), process: true });
    await backUp(trove, to);
    assert.ok(bucket.paths().includes('/backups/monday/backup.json'));
    assert.is(await codeOf(trove.backups.start({ to })), 'validation_error');
    const left = await readdir(join(root, 'home'));
    assert.not.ok(left.some((name) => name.startsWith('backup-')));
    await trove.close();
    await restore(to, join(root, 'restored'));
    const restored = await createTrove({ home: join(root, 'restored') });
    assert.is((await restored.search({ q: 'brown fox' })).results.length, 1);
    await restored.close();
  } finally {
    await trove.close();
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    await bucket.stop();
  }
});

test('refuses unsuitable folders and a second backup', async ({ root }) => {
  await writeFile(join(root, 'docs', 'fox.md'), 'A brown fox.');
  const trove = await createTrove({ home: join(root, 'home') });
  try {
    await trove.add({ target: join(root, 'docs'), process: true });
    const refused = [
      join(root, 'home'),
      join(root, 'home', 'x'),
      join(root, 'docs', 'x'),
      join(root, 'docs', 'a b'),
      `${root}/other/../home/x`,
      root,
      'x',
    ];
    for (const to of refused)
      assert.is(await codeOf(trove.backups.start({ to })), 'validation_error', to);
    await trove.backups.start({ to: join(root, 'one') });
    assert.is(await codeOf(trove.backups.start({ to: join(root, 'two') })), 'backup_running');
  } finally {
    await trove.close();
  }
  assert.is(await codeOf(trove.backups.state()), 'engine_closed');
});

test('restores only a whole backup, into an empty home', async ({ root }) => {
  await writeFile(join(root, 'docs', 'fox.md'), 'A brown fox.');
  const trove = await createTrove({ home: join(root, 'home') });
  try {
    await trove.add({ target: join(root, 'docs'), process: true });
    await backUp(trove, join(root, 'backup'));
  } finally {
    await trove.close();
  }
  const from = join(root, 'backup');
  const failed = 'storage_unavailable';
  assert.is(await codeOf(restore(from, join(root, 'home'))), failed);
  assert.is(await codeOf(restore(join(root, 'docs'), join(root, 'new'))), failed);
  const settings = resolveSettings({}, { home: join(root, 'new') });
  const other = { ...settings, metadata: { ...settings.metadata, backend: 'postgres' as const } };
  assert.is(await codeOf(restoreBackup({ from, settings: other })), 'config_invalid');
  const taken = resolveSettings({ index: { uri: join(root, 'docs') } }, settings);
  assert.is(await codeOf(restoreBackup({ from, settings: taken })), failed);
  await rm(join(from, 'metadata.snapshot'));
  assert.is(await codeOf(restore(from, join(root, 'new'))), failed);
  assert.equal((await readdir(root)).sort(), ['backup', 'docs', 'home']);
});

test.run();
