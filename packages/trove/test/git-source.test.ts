import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTrove } from '../src/index.js';

interface World {
  root: string;
  repository: string;
  target: string;
  trove: Engine;
}

const test = suite<World>('a git repository as a source');

test.before.each(async (context) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'trove-git-')));
  const repository = join(root, 'allowed', 'project');
  await mkdir(repository, { recursive: true });
  Object.assign(context, { root, repository, target: `git+file://local${repository}` });
  git(repository, 'init', '-q', '-b', 'main');
  await commit(repository, {
    'harbour.md': '# Harbour\n\nThe lighthouse keeper counts ships.\n',
    'mill.md': '# Mill\n\nThe miller grinds barley.\n',
    'gone.md': '# Gone\n\nA passing comet.\n',
  });
  context.trove = await createTrove({
    home: join(root, 'home'),
    settings: { server: { allowed_roots: [join(root, 'allowed')] } },
  });
});
test.after.each(async ({ root, trove }) => {
  await trove.close();
  await rm(root, { recursive: true, force: true });
});

function git(folder: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  return execFileSync('git', [...who, ...args], { cwd: folder, env })
    .toString()
    .trim();
}

async function commit(
  folder: string,
  files: Readonly<Record<string, string>>,
  message = 'the first',
): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', message);
}

/** The outcome of a sync. */
async function sync({ trove, target }: World): Promise<object> {
  const { job_id: id } = await trove.add({ target, process: true });
  const { status, added, changed, removed } = await trove.job(id);
  return { status, added, changed, removed };
}

test('commits rank below files, except in questions about history', async (world) => {
  const { repository, target, trove } = world;
  const filler = 'Nothing else is told of it here. '.repeat(2);
  await commit(repository, {
    'loom.md': `# Weaving\n\nThe loom weaves linen cloth. ${filler}\n`,
    'loom_test.go': 'func TestLoom() { weave(linen) }\n',
  });
  for (const times of [1, 2, 3, 4]) {
    const sail = { 'sail.md': '# Sail\n\nwind '.padEnd(20 + times, 'x') };
    await commit(repository, sail, 'The loom weaves linen cloth');
  }
  await sync(world);
  const found = async (q: string): Promise<(string | null)[][]> =>
    (await trove.search({ q, top_k: 3 })).results.map(({ source, metadata }) => [
      source.slice(target.length + 1),
      metadata.demoted_reason,
    ]);
  const plain = await found('loom weaves linen cloth');
  assert.equal(plain[0], ['files/loom.md', null]);
  assert.equal(plain[1], ['commits/log.jsonl', 'commit']);
  const [first] = await found('which commit changed how the loom weaves linen cloth');
  assert.equal(first, ['commits/log.jsonl', 'commit']);
});

test('commits are found, and a new commit only indexes its files', async (world) => {
  const { repository, target, trove } = world;
  assert.equal(await sync(world), { status: 'succeeded', added: 4, changed: 0, removed: 0 });
  const best = async (q: string): Promise<string | undefined> =>
    (await trove.search({ q })).results[0]?.source;
  assert.is(await best('lighthouse'), `${target}/files/harbour.md`);
  const { content } = await trove.cat({ path: `${target}/files/mill.md` });
  assert.is(content, '# Mill\n\nThe miller grinds barley.\n');

  await rm(join(repository, 'gone.md'));
  await commit(
    repository,
    { 'mill.md': '# Mill\n\nThe miller grinds windmill rye.\n' },
    'A better flour',
  );
  await writeFile(join(repository, 'harbour.md'), 'not committed\n');
  assert.equal(await sync(world), { status: 'succeeded', added: 0, changed: 2, removed: 1 });
  assert.is(await best('windmill'), `${target}/files/mill.md`);
  assert.is(await best('lighthouse'), `${target}/files/harbour.md`);
  const { results } = await trove.search({ q: 'comet', mode: 'keyword' });
  // Only the history still contains it.
  const places = new Set(results.map(({ source }) => source));
  assert.equal(places, new Set([`${target}/commits/log.jsonl`]));

  const matches = await trove.grep({ pattern: 'windmill' });
  const [match] = matches.results;
  assert.is(match?.source, `${target}/files/mill.md`);
  const reopened = await trove.cat({
    path: match?.source ?? '',
    locator: JSON.stringify(match?.locator),
  });
  assert.match(reopened.content, 'windmill rye');

  // The history is a table. A commit is found by its message and changes, and opened by its id.
  const { results: hits } = await trove.search({ q: 'better flour', filter: "author = 'Ada'" });
  const hit = hits.find(({ source }) => source === `${target}/commits/log.jsonl`);
  const commitId = git(repository, 'rev-parse', 'HEAD');
  assert.equal(hit?.locator, { commit: commitId });
  const opened = await trove.cat({
    path: hit?.source ?? '',
    locator: JSON.stringify(hit?.locator),
  });
  assert.match(opened.content, '+The miller grinds windmill rye.');
  const said = await trove.grep({ pattern: 'A better flour' });
  assert.equal(
    said.results.flatMap(({ locator }) => locator ?? []),
    [{ commit: commitId }],
  );
});

test('an unreadable repository is refused and not registered', async ({ root, target, trove }) => {
  const refusal = async (uri: string, config = {}): Promise<string> =>
    trove.add({ target: uri, config, process: true }).then(
      () => 'none',
      (error: unknown) => (isTroveError(error) ? `${error.code}: ${error.detail}` : String(error)),
    );
  assert.match(await refusal(`git+file://local${root}`), /^path_not_allowed/);
  assert.match(await refusal(`${target}/nowhere`), /^connector_unhealthy: .*no folder/);
  assert.match(await refusal(target, { ref: 'nowhere' }), /^connector_unhealthy: .*"nowhere"/);
  for (const ref of ['--upload-pack=x', 'a:b', 'a b', ''])
    assert.match(await refusal(target, { ref }), /^config_invalid/, ref);
  assert.equal((await trove.status({})).connectors, []);
});

test.run();
