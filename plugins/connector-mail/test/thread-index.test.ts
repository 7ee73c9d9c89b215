import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { withFolder } from '@trove/test-support/with-folder.js';
import { ThreadIndex } from '../src/mbox/thread-index.js';

const test = suite('thread index of mail files');

const fileIn = (folder: string): string => join(folder, 'kept', 'threads.jsonl');

function present(...ids: string[]): Map<string, null> {
  return new Map(ids.map((id) => [id, null]));
}

test('appends messages and removes outdated ones from their threads', () =>
  withFolder(async (folder) => {
    const file = fileIn(folder);
    const kept = join(folder, 'kept');
    const index = new ThreadIndex(kept);
    await index.add('box', 'a', { version: '', thread: 'one' });
    await index.add('box', 'b', { version: '', thread: 'one' });
    await index.add('other', 'a', { version: '', thread: 'one' });
    await index.save('box', present('a', 'b'));
    const first = readFileSync(file, 'utf8');
    await index.add('box', 'b', { version: '2', thread: 'two' });
    await index.add('box', 'c', { version: '', thread: 'one' });
    await index.save('box', present('b', 'c'));
    assert.ok(readFileSync(file, 'utf8').startsWith(first));
    for (const each of [index, new ThreadIndex(kept)]) {
      await each.save('box', present('b', 'c'));
      assert.equal(await each.idsIn('box', 'one'), ['c']);
      assert.equal(await each.idsIn('box', 'two'), ['b']);
      assert.equal(await each.idsIn('other', 'one'), ['a']);
      assert.equal((await each.messagesIn('box')).get('b'), { version: '2', thread: 'two' });
    }
  }));

test('rewrites a file with a truncated line or mostly outdated lines', () =>
  withFolder(async (folder) => {
    const file = fileIn(folder);
    const kept = join(folder, 'kept');
    const lines = (): number => readFileSync(file, 'utf8').split('\n').length - 1;
    const index = new ThreadIndex(kept);
    await index.add('box', 'a', { version: '', thread: 'one' });
    await index.save('box', present('a'));
    appendFileSync(file, '["box","b');
    const next = new ThreadIndex(kept);
    assert.equal(await next.idsIn('box', 'one'), ['a']);
    await next.add('box', 'b', { version: '', thread: 'one' });
    await next.save('box', present('a', 'b'));
    assert.equal(await new ThreadIndex(kept).idsIn('box', 'one'), ['a', 'b']);
    assert.is(lines(), 2);
    for (let version = 0; version < 1100; version++)
      await next.add('box', 'a', { version: String(version), thread: 'one' });
    await next.save('box', present('a', 'b'));
    assert.is(lines(), 2);
    assert.is((await new ThreadIndex(kept).messagesIn('box')).get('a')?.version, '1099');
  }));

test.run();
