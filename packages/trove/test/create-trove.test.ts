// test-waits
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testUnless } from '@trove/test-support/skips.js';
import { createTrove, type GrepResponse } from '../src/index.js';

const test = suite<{ root: string }>('createTrove');
test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-create-'));
  await mkdir(join(context.root, 'docs'));
  await writeFile(join(context.root, 'docs', 'fox.md'), '# Animals\n\nThe quick brown fox.\n');
});
test.after.each(({ root }) => rm(root, { recursive: true, force: true }));

test('indexes a folder and finds, lists and reads its files', async ({ root }) => {
  const home = join(root, 'home');
  const trove = await createTrove({ home });
  try {
    const target = relative(process.cwd(), join(root, 'docs'));
    const { job_id: id } = await trove.add({ target, process: true });
    assert.is((await trove.job(id)).status, 'succeeded');
    const { results } = await trove.search({ q: 'brown fox' });
    assert.match(results[0]?.source ?? '', /fox\.md$/);
    const { entries } = await trove.ls({ path: target });
    assert.equal(
      entries.map(({ name }) => name),
      ['fox.md'],
    );
    assert.match((await trove.export({ path: join(target, 'fox.md') })).content, 'quick brown');
    assert.is((await stat(home)).mode & 0o777, 0o700);
    for (const name of ['metadata.db', 'transformation_cache.db', 'index.lance']) {
      assert.ok(await stat(join(home, name)), name);
    }
  } finally {
    await trove.close();
  }
});

test('of equal texts, one in a readable source ranks first', async ({ root }) => {
  const trove = await createTrove({ home: join(root, 'home') });
  const text = 'The lighthouse keeper counts the ships.\n';
  const found = async (more: object = {}): Promise<(readonly string[])[]> => {
    const { results } = await trove.search({ q: 'lighthouse keeper', ...more });
    return results.map(({ source, metadata }) =>
      [source, ...metadata.also].map((uri) => uri.slice(uri.indexOf('copy-'))),
    );
  };
  try {
    for (const name of ['copy-a', 'copy-b', 'copy-c']) {
      await mkdir(join(root, name));
      await writeFile(join(root, name, 'ships.md'), text);
      await trove.add({ target: join(root, name), process: true });
    }
    assert.equal(await found(), [['copy-a/ships.md', 'copy-b/ships.md', 'copy-c/ships.md']]);
    await rm(join(root, 'copy-a', 'ships.md'));
    const led = [['copy-b/ships.md', 'copy-a/ships.md', 'copy-c/ships.md']];
    assert.equal(await found(), led, 'a file is gone and was not synced yet');
    assert.equal(await found({ mode: 'keyword' }), led);
    await rm(join(root, 'copy-b'), { recursive: true });
    const { job_id: id } = await trove
      .add({ target: join(root, 'copy-b'), update: true, process: true })
      .catch(() => ({ job_id: '' }));
    if (id !== '') assert.is((await trove.job(id)).status, 'failed');
    const [hit, ...others] = await found();
    assert.equal(others, []);
    assert.is(hit?.[0], 'copy-c/ships.md', 'a folder is gone');
    await writeFile(join(root, 'copy-a', 'ships.md'), text);
    assert.is((await found())[0]?.[0], 'copy-a/ships.md', 'it is back');
  } finally {
    await trove.close();
  }
});

test('a file as a source is treated as in its folder', async ({ root }) => {
  const trove = await createTrove({ home: join(root, 'home') });
  try {
    const file = join(root, 'docs', 'fox.md');
    await trove.add({ target: file, process: true });
    const [hit] = (await trove.search({ q: 'brown fox' })).results;
    assert.equal([hit?.metadata.media_type, hit?.metadata.title], ['text/markdown', 'Animals']);

    await trove.add({ target: join(root, 'docs'), process: true });
    const { results } = await trove.grep({ pattern: 'brown' });
    assert.is(results.length, 1, 'two sources hold the line');
  } finally {
    await trove.close();
  }
});

test('grep returns each line once when sources overlap', async ({ root }) => {
  const trove = await createTrove({ home: join(root, 'home') });
  try {
    const lines = ['needle 1', 'needle 2', 'needle 3', 'needle 4'];
    await writeFile(join(root, 'docs', 'fox.md'), `${lines.join('\n')}\n`);
    await trove.add({ target: join(root, 'docs', 'fox.md'), process: true });
    await trove.add({ target: join(root, 'docs'), process: true });
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { pattern: 'needle', limit: 1, ...(cursor === undefined ? {} : { cursor }) };
      const page: GrepResponse = await trove.grep(query);
      found.push(...page.results.map(({ content }) => content));
      cursor = page.next;
    }
    assert.equal(found, lines);
  } finally {
    await trove.close();
  }
});

test('a folder may contain a file with the same name', async ({ root }) => {
  const trove = await createTrove({ home: join(root, 'home') });
  try {
    const folder = join(root, 'docs', 'foo');
    await mkdir(folder);
    await writeFile(join(folder, 'foo'), 'text');
    await trove.add({ target: join(root, 'docs'), process: true });
    for (const path of [folder, join(folder, 'foo')]) {
      const { entries } = await trove.ls({ path });
      assert.equal(
        entries.map((entry) => entry.path),
        [`file://local${folder}/foo`],
      );
    }
  } finally {
    await trove.close();
  }
});

test('unknown words find nothing, however many there are', async ({ root }) => {
  const trove = await createTrove({ home: join(root, 'home') });
  try {
    // Enough pairs of words for their short hashes to collide.
    const words = Array.from({ length: 120_000 }, (_, at) => `w${(at * 7919) % 30_011}`);
    for (let from = 0; from < words.length; from += 6000) {
      await writeFile(
        join(root, 'docs', `${from}.txt`),
        words
          .slice(from, from + 6000)
          .join(' ')
          .replace(/(.{80}) /g, '$1\n'),
      );
    }
    await trove.add({ target: join(root, 'docs'), process: true });
    for (const q of ['qwxyzzy blorptang', 'zibber glonk farfle', 'snorv quintle mop drazzle']) {
      for (const mode of ['hybrid', 'keyword', 'semantic'] as const) {
        assert.equal((await trove.search({ q, mode })).results, [], `${mode}: ${q}`);
      }
    }
  } finally {
    await trove.close();
  }
});

test('the index survives a restart', async ({ root }) => {
  const home = join(root, 'home');
  const first = await createTrove({ home });
  await first.add({ target: join(root, 'docs'), process: true });
  const before = await first.serverInfo();
  await first.close();
  const second = await createTrove({ home });
  try {
    assert.is((await second.search({ q: 'fox' })).results.length, 1);
    assert.equal(await second.serverInfo(), before);
  } finally {
    await second.close();
  }
});

test('two instances share nothing', async ({ root }) => {
  const one = await createTrove({ home: join(root, 'one') });
  const two = await createTrove({ home: join(root, 'two') });
  try {
    await one.add({ target: join(root, 'docs'), process: true });
    await one.close();
    assert.equal((await two.status()).connectors, []);
    assert.equal((await two.search({ q: 'fox' })).results, []);
  } finally {
    await two.close();
  }
});

test('an object in two sources is one hit, even after one is removed', async ({ root }) => {
  const docs = join(root, 'docs');
  await mkdir(join(docs, 'deep'));
  await writeFile(join(docs, 'deep', 'owl.md'), '# Owls\n\nThe owl hunts at night.\n');
  await symlink(docs, join(root, 'link'));
  const trove = await createTrove({ home: join(root, 'home') });
  const add = async (target: string) => (await trove.add({ target, process: true })).overlaps;
  const hits = async (q: string) => {
    const { results } = await trove.search({ q });
    return results.map(({ source, metadata }) => [source, ...metadata.also].sort());
  };
  const uri = (...names: string[]) => `file://local${join(root, ...names)}`;
  try {
    assert.equal(await add(docs), []);
    assert.equal(await add(join(docs, 'deep')), [uri('docs')]);
    assert.equal(await add(docs), [uri('docs', 'deep')]);
    assert.equal(await hits('owl night'), [[uri('docs', 'deep', 'owl.md')]]);
    assert.equal((await add(join(root, 'link'))).sort(), [uri('docs'), uri('docs', 'deep')]);
    const both = [uri('docs', 'deep', 'owl.md'), uri('link', 'deep', 'owl.md')];
    assert.equal(await hits('owl night'), [both]);
    await trove.remove({ target: join(root, 'link') });
    await trove.remove({ target: docs });
    assert.equal(await hits('owl night'), [[uri('docs', 'deep', 'owl.md')]]);
    assert.equal(await hits('brown fox'), []);
    await trove.add({ target: docs, process: true });
    await trove.remove({ target: join(docs, 'deep') });
    assert.equal(await hits('owl night'), [[uri('docs', 'deep', 'owl.md')]]);
  } finally {
    await trove.close();
  }
});

test('a search in a path with links finds the files there', async ({ root }) => {
  const docs = join(root, 'docs');
  await mkdir(join(docs, 'deep 1'));
  await writeFile(join(docs, 'deep 1', 'owl.md'), 'The owl hunts at night, like the fox.');
  await symlink(join(docs, 'deep 1'), join(docs, 'short'));
  await symlink(docs, join(root, 'link'));
  const trove = await createTrove({ home: join(root, 'home') });
  try {
    for (const target of [docs, join(root, 'link')]) {
      await trove.add({ target, process: true });
      for (const path of ['short', 'short/owl.md', 'deep 1']) {
        const { results } = await trove.search({ q: 'fox', path: join(target, path) });
        const sources = results.map(({ source }) => decodeURI(source));
        assert.equal(sources, [`file://local${join(target, 'deep 1', 'owl.md')}`], path);
      }
      const { results } = await trove.search({ q: 'fox', path: join(target, 'short', 'absent') });
      assert.equal(results, []);
    }
  } finally {
    await trove.close();
  }
});

const [memory, temporary] = await Promise.all(
  ['/dev/shm', tmpdir()].map((folder) => stat(folder).catch(() => null)),
);
const hasTwoDisks = memory !== null && memory?.dev !== temporary?.dev;
const withTwoDisks = testUnless(hasTwoDisks ? null : '/dev/shm is no disk of its own here', test);

withTwoDisks('an empty folder where another disk was removes nothing', async ({ root }) => {
  const other = await mkdtemp('/dev/shm/trove-create-');
  const mount = join(root, 'mount');
  const trove = await createTrove({ home: join(root, 'home') });
  const sync = async () => trove.job((await trove.add({ target: mount, process: true })).job_id);
  const hits = async () => (await trove.search({ q: 'owl' })).results.length;
  try {
    await writeFile(join(other, 'owl.md'), 'The owl hunts at night.');
    await symlink(other, mount);
    assert.is((await sync()).added, 1);

    await mkdir(join(root, 'empty'));
    await rm(mount);
    await symlink(join(root, 'empty'), mount);
    const { status, error, detail, removed } = await sync();
    assert.equal(
      { status, error, removed },
      { status: 'failed', error: 'connector_unhealthy', removed: 0 },
    );
    assert.match(detail ?? '', 'looks like an unmounted disk. Nothing was removed.');
    assert.is(await hits(), 1);

    await rm(mount);
    await symlink(other, mount);
    assert.is((await sync()).unchanged, 1);
    await rm(join(other, 'owl.md'));
    assert.is((await sync()).removed, 1);
    assert.is(await hits(), 0);
  } finally {
    await trove.close();
    await rm(other, { recursive: true, force: true });
  }
});

test('wrong settings are refused before anything is created', async ({ root }) => {
  const home = join(root, 'home');
  const settings = { embedding: { provder: 'x' } } as object;
  try {
    await createTrove({ home, settings });
    assert.unreachable();
  } catch (error) {
    assert.ok(isTroveError(error));
    assert.is(error.code, 'config_invalid');
    assert.match(error.detail, 'did you mean `provider`');
  }
  assert.not.ok(await stat(home).catch(() => null));
});

test('a provider that is not installed names the command that installs it', async ({ root }) => {
  try {
    await createTrove({ home: join(root, 'home'), settings: { embedding: { provider: 'nope' } } });
    assert.unreachable();
  } catch (error) {
    assert.ok(isTroveError(error));
    assert.is(error.code, 'not_available');
    assert.match(error.message, 'Looked for trove-embedder-nope in');
  }
});

test.run();
