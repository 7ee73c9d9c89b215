import { chmodSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { codeOf } from '@trove/test-support/rejection.js';
import { TroveError } from '@trove/core';
import { grepThreadCount } from '../src/grep/grep.js';
import {
  calm,
  everything,
  inFolder,
  indexed,
  listed,
  search,
  shown,
  targetOf,
  textOf,
} from './folder.js';

const test = suite('file connector, threads');
/** The options of a search as source text of a script. */
const asks = `...${JSON.stringify(everything)}, pattern: 'content'`;
const pluginUrl = new URL('../dist/index.js', import.meta.url).href;

test(
  'fails calls in flight and later calls with engine_closed after close',
  inFolder(async (folder) => {
    folder.write('a.md', `${'a'.repeat(60)}!\n`);
    const connector = await folder.open();
    const flying = codeOf(search(connector, '^(a+)+$', { regex: true }));
    const read = codeOf(textOf(connector, 'a.md'));
    await connector.close();
    assert.is(await flying, 'engine_closed');
    assert.is(await read, 'engine_closed');
    assert.is(await codeOf(listed(connector)), 'engine_closed');
    await connector.close();
  }),
);

test(
  'shares a thread between sources, unless a call may still be running',
  inFolder(async (folder) => {
    folder.write('a.md', `${'a'.repeat(60)}!\n`);
    const signal = new AbortController().signal;
    const started = (): number => new Worker('', { eval: true }).threadId;
    const checked = async (): Promise<void> => {
      const connector = await folder.open();
      assert.ok((await connector.check({ signal })).ok);
      await connector.close();
    };
    await checked();
    const first = started();
    await checked();
    await checked();
    assert.is(started() - first, 1, 'only the thread of this count was started');

    const connector = await folder.open();
    const flying = codeOf(search(connector, '^(a+)+$', { regex: true }));
    await connector.check({ signal });
    await connector.close();
    assert.is(await flying, 'engine_closed');
    await checked();
  }),
);

test(
  'runs many sources on a few threads, and ends idle threads except one',
  inFolder(async (folder) => {
    using clock = new ManualClock(5000);
    const started = (): number => new Worker('', { eval: true }).threadId;
    const names = Array.from({ length: 40 }, (_, at) => `source-${at}`);
    for (const name of names) folder.write(`${name}/a.md`);
    const connectors = await Promise.all(names.map((name) => folder.open(name)));
    const before = started();
    for (const connector of connectors) assert.equal(await indexed(connector), ['a.md']);
    const afterOne = started();
    assert.ok(afterOne - before <= 2, 'one thread for consecutive listings');
    const found = await Promise.all(connectors.map((each) => search(each, 'content')));
    assert.is(found.flat().length, 40);
    const afterAll = started();
    assert.ok(afterAll - afterOne <= 16 + 1, 'a limited number of threads for concurrent searches');
    clock.advance(5000);
    for (const connector of connectors.slice(0, 1)) await indexed(connector);
    assert.is(started() - afterAll, 1, 'the remaining thread was used');
  }),
);

test(
  'searches many sources at once like each alone, on few threads',
  inFolder(async (folder) => {
    const started = (): number => new Worker('', { eval: true }).threadId;
    const names = Array.from({ length: 40 }, (_, at) => `source-${at}`);
    for (const name of names) folder.write(`${name}/a.md`);
    for (let at = 0; at < 3000; at++) folder.write(`source-7/${at % 50}/${at}.md`);
    folder.write('source-8/b.md', Buffer.from([0, 1, 2, 3]));
    rmSync(folder.at('source-9'), { recursive: true });
    const connectors = await Promise.all(names.map((name) => folder.open(name)));
    const answers = connectors.map(
      (connector, at) => () =>
        search(connector, 'content', { limit: 10 + at }).then(shown, (error) => [String(error)]),
    );
    const alone: string[][] = [];
    for (const answer of answers) alone.push(await answer());
    assert.is(alone[7]?.length, 17);
    assert.equal(alone[8], ['a.md:1:content of source-8/a.md', '1 file binary, not searched.']);
    assert.match(alone[9]?.join() ?? '', 'There is no file or folder at');
    const before = started();
    assert.equal(await Promise.all(answers.map((answer) => answer())), alone);
    assert.ok(started() - before <= 1 + grepThreadCount, 'threads');
  }),
);

test(
  'does not let a slow search delay the other sources',
  inFolder(async (folder) => {
    const names = ['slow', 'fast-1', 'fast-2', 'fast-3', 'fast-4'];
    for (const name of names) folder.write(`${name}/a.md`, 'aaa\n');
    for (const at of [1, 2, 3]) folder.write(`slow/${at}.md`, `${'a'.repeat(60)}!\n`);
    const ends: string[] = [];
    const found = await Promise.all(
      names.map(async (name) => {
        const items = await search(await folder.open(name), '^(a+)+$', { regex: true });
        ends.push(name);
        return shown(items);
      }),
    );
    assert.is(ends.at(-1), 'slow');
    assert.is(found[0]?.length, 4);
    assert.equal(found.slice(1).flat(), Array(4).fill('a.md:1:aaa'));
  }),
);

test(
  'stops a search among others when its signal aborts',
  inFolder(async (folder) => {
    folder.write('one/a.md');
    folder.write('other/a.md');
    const [one, other] = [await folder.open('one'), await folder.open('other')];
    const stop = new AbortController();
    const stopped = codeOf(search(one, 'content', { signal: stop.signal }));
    const found = search(other, 'content');
    stop.abort(new TroveError('timed_out', 'stopped'));
    assert.is(await stopped, 'timed_out');
    assert.equal(shown(await found), ['a.md:1:content of other/a.md']);
  }),
);

test(
  'gets a thread for a waiting call while all others are busy',
  inFolder(async (folder) => {
    for (let at = 0; at < 4000; at++) folder.write(`many/${at}.md`, '');
    folder.write('few/a.md');
    const listings = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const connector = await folder.open('many');
        const listing = connector.list({ signal: calm() })[Symbol.asyncIterator]();
        assert.is((await listing.next()).done, false);
        return listing;
      }),
    );
    assert.equal(await indexed(await folder.open('few')), ['a.md']);
    for (const listing of listings) assert.is((await listing.next()).done, false);
  }),
);

test(
  'lets the process exit without closing a connector',
  inFolder(async (folder) => {
    folder.write('a.md');
    const { status, stdout } = runScript(`
      const connector = await plugin.create(connectorContext({ config: { ignore: [] }, target: ${JSON.stringify(targetOf(folder.path))} }));
      const signal = new AbortController().signal;
      for await (const entry of connector.list({ signal })) console.log(entry.path);
      for await (const item of connector.grep({ ${asks}, signal })) console.log(item.content);
    `);
    assert.is(stdout, 'a.md\ncontent of a.md\n');
    assert.is(status, 0);
  }),
);

test(
  'names an unreadable folder at the end, and lists the rest',
  inFolder(async (folder) => {
    folder.write('closed/a.md');
    folder.write('open/a.md');
    folder.write('file.md');
    const script = `
      import { chmodSync } from 'node:fs';
      const signal = new AbortController().signal;
      const connector = await plugin.create(connectorContext({ config: { ignore: [] }, target: ${JSON.stringify(targetOf(folder.path))} }));
      try {
        for await (const entry of connector.list({ signal })) console.log(entry.path);
      } catch (error) {
        console.log(error.code, error.message);
      }
      for await (const item of connector.grep({ ${asks}, signal })) console.log(item.notice ?? item.path);
      await connector.read('file.md', { signal }).catch((error) => console.log(error.code, error.message));
      const health = await connector.check({ signal });
      console.log(health.ok);
      for await (const { name, skip } of connector.browse('', { signal })) console.log(name, skip);
    `;
    chmodSync(folder.path, 0o755);
    chmodSync(folder.at('closed'), 0);
    chmodSync(folder.at('file.md'), 0);
    const { status, stdout, stderr } = runScript(script, true);
    chmodSync(folder.at('closed'), 0o755);
    if (status !== 0 && /EACCES|ERR_MODULE_NOT_FOUND/.test(stderr)) {
      console.log('skipped: no other user can run the connector here');
      return;
    }
    const [first, second, third, ...rest] = stdout.split('\n');
    assert.equal([first, second], ['file.md', 'open/a.md'], stderr);
    assert.match(
      third ?? '',
      /^listing_incomplete .*closed \(permission denied\).*no file counts as deleted/,
    );
    assert.equal(rest, [
      'open/a.md',
      '1 file unreadable, not searched.',
      'A folder could not be read: closed (permission denied)',
      'path_not_allowed "file.md" may not be read by this user.',
      'true',
      'closed the user that runs the server may not read this folder',
      'file.md undefined',
      'open undefined',
      '',
    ]);
  }),
);

test(
  'keeps a connector open when another one closes',
  inFolder(async (folder) => {
    folder.write('a.md');
    const one = await folder.open();
    const other = await folder.open();
    assert.equal(await indexed(one), ['a.md']);
    await one.close();
    assert.equal(await indexed(other), ['a.md']);
    assert.is((await other.check({ signal: calm() })).detail, 'A folder with 1 entry.');
  }),
);

/** Runs a script with the plugin in another process, on request as an unprivileged user. */
function runScript(
  script: string,
  unprivileged = false,
): { status: number | null; stdout: string; stderr: string } {
  const nobody = unprivileged && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const source = `
    import { connectorContext } from ${JSON.stringify(import.meta.resolve('@trove/testkit'))};
    import plugin from ${JSON.stringify(pluginUrl)};
    ${script}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    timeout: 60_000,
    ...nobody,
  });
}

test.run();
