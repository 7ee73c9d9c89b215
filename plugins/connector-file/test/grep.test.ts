import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { codeOf } from '@trove/test-support/rejection.js';
import type { GrepItem, GrepPosition } from '@trove/core';
import { grep } from '../src/grep/grep-task.js';
import { everything, inFolder, search, shown } from './folder.js';

const test = suite('file connector, searching');

test(
  'finds lines in any encoding and with any line ends',
  inFolder(async (folder) => {
    const text = 'first\r\nthe Größe line\r\nlast\n';
    folder.write('utf8.txt', text);
    folder.write('bom.txt', `\ufeff${text}`);
    folder.write('utf16le.txt', Buffer.from(`\ufeff${text}`, 'utf16le'));
    folder.write('utf16be.txt', Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
    folder.write('nobom.txt', Buffer.from(text, 'utf16le'));
    folder.write('latin1.txt', Buffer.from(text, 'latin1'));
    const connector = await folder.open();
    const names = ['bom.txt', 'latin1.txt', 'nobom.txt', 'utf16be.txt', 'utf16le.txt', 'utf8.txt'];
    const expected = names.map((name) => `${name}:2:the Größe line`);
    for (const [pattern, request] of [
      ['Größe', {}],
      ['the Gr', {}],
      ['GRÖSSE'.replace('SS', 'ß'), { ignoreCase: true }],
      ['gr\\S+e\\sline$', { regex: true, ignoreCase: true }],
    ] as const) {
      assert.equal(shown(await search(connector, pattern, request)), expected, pattern);
    }
  }),
);

test(
  'finds composed and decomposed letters, and Japanese in JIS text',
  inFolder(async (folder) => {
    const text = 'the Größe of a café\n';
    folder.write('nfc.txt', text.normalize('NFC'));
    folder.write('nfd.txt', text.normalize('NFD'));
    folder.write('jis.txt', '\x1b$B2q5D\x1b(B\n');
    const connector = await folder.open();
    const pathsOf = async (pattern: string, request = {}): Promise<string[]> =>
      (await search(connector, pattern, request)).map((item) => ('path' in item ? item.path : ''));
    for (const form of ['NFC', 'NFD'] as const) {
      assert.equal(await pathsOf('Größe'.normalize(form)), ['nfc.txt', 'nfd.txt'], form);
      const request = { ignoreCase: true };
      assert.equal(await pathsOf('CAFÉ'.normalize(form), request), ['nfc.txt', 'nfd.txt'], form);
    }
    assert.equal(await pathsOf('会議'), ['jis.txt']);
  }),
);

test(
  'returns each matching line once, in walk order, up to the limit',
  inFolder(async (folder) => {
    for (const path of ['b.md', 'a/z.md', 'a/b/c.md', 'a.md', 'c/a.md', 'a b.md']) {
      folder.write(path, 'needle needle\nhay\nneedle\n');
    }
    const connector = await folder.open();
    const order = ['a b.md', 'a.md', 'b.md', 'a/z.md', 'a/b/c.md', 'c/a.md'];
    const all = order.flatMap((path) => [`${path}:1:needle needle`, `${path}:3:needle`]);
    assert.equal(shown(await search(connector, 'needle')), all);
    for (const limit of [1, 3, 5]) {
      assert.equal(shown(await search(connector, 'needle', { limit })), all.slice(0, limit));
    }
    assert.equal(shown(await search(connector, 'needle', { path: 'a' })), all.slice(6, 10));
    assert.equal(shown(await search(connector, 'needle', { path: 'a/z.md' })), all.slice(6, 8));
    assert.is(await codeOf(search(connector, 'needle', { path: 'a/nowhere' })), 'not_found');
  }),
);

test(
  'finds in several threads what one thread finds, also from page to page',
  inFolder(async (folder) => {
    for (let at = 0; at < 3000; at++) {
      const text = at % 7 === 0 ? `needle ${at}\nhay\nneedle\n` : `hay ${at}\n`;
      folder.write(`${at % 40}/${at % 3}/${at}.md`, at % 500 === 3 ? `\0\x01\x02${text}` : text);
    }
    const source = { root: folder.path, name: folder.path, isUpload: false, ignore: [] };
    const allowed = { deniedRoots: [], allowedRoots: [] };
    const inOneThread = (after: GrepPosition | null, limit: number): string[] => {
      const mode = { shared: null, owner: 1, isTrial: false, filter: null };
      const task = { ...source, ...allowed, ...everything, pattern: 'needle', limit, after };
      return shown([...grep({ ...task, ...mode })].flat());
    };
    const connector = await folder.open();
    let after: GrepPosition | null = null;
    for (const limit of [1, 5, 250, 1000]) {
      const items: GrepItem[] = await search(connector, 'needle', { limit, after });
      const matches = items.flatMap((item) => ('lines' in item ? [item] : []));
      assert.equal(shown(matches), inOneThread(after, limit), `${limit} matches`);
      const last = matches.at(-1);
      if (last === undefined) throw new Error('no match');
      const inFile = matches.filter(({ path }) => path === last.path).length;
      const before: number = after?.path === last.path ? after.matches : 0;
      after = { path: last.path, matches: before + inFile };
    }
    assert.equal(await search(connector, 'needle', { after }), []);
    assert.equal(shown(await search(connector, 'absent')), ['6 files binary, not searched.']);
  }),
);

test(
  'reports files that were not searched',
  inFolder(async (folder) => {
    folder.write('text.md', 'needle\n');
    folder.write('a.bin', Buffer.from('needle\0\x01\x02needle'));
    folder.write('b.pdf', '%PDF-1.7\nneedle\n');
    folder.write('called otherwise', '%PDF-1.7\n\0needle\n');
    folder.write('c.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    writeFileSync(folder.at('huge.txt'), Buffer.alloc(64 * 1024 * 1024 + 1, 'needle\n'));
    const connector = await folder.open();
    const expected = ['4 files binary, not searched.', '1 file over 64 MiB, not searched.'];
    assert.equal(shown(await search(connector, 'needle')), ['text.md:1:needle', ...expected]);
    assert.equal(shown(await search(connector, 'absent')), expected);
    const except = ['application/pdf', 'image/png'];
    const rest = await search(connector, 'absent', { excludedMediaTypes: except });
    assert.equal(shown(rest), ['1 file binary, not searched.', expected[1]]);
  }),
);

test(
  'shows context, cut at the ends of the file',
  inFolder(async (folder) => {
    folder.write('a.md', 'one\ntwo\nthree\nfour\nfive');
    const connector = await folder.open();
    const [first] = await search(connector, 'one', { context: 2 });
    const path = 'a.md';
    const firstMatch = { lines: [1, 1], column: 1 };
    assert.equal(first, { path, lines: [1, 3], content: 'one\ntwo\nthree', match: firstMatch });
    const [last] = await search(connector, 'five', { context: 1 });
    const lastMatch = { lines: [5, 5], column: 1 };
    assert.equal(last, { path, lines: [4, 5], content: 'four\nfive', match: lastMatch });
  }),
);

test(
  'cuts long lines around the match, never inside a character',
  inFolder(async (folder) => {
    for (const word of ['needle', 'needles']) {
      folder.write('min.js', `${'😀'.repeat(5000)}${word}${'😀'.repeat(5000)}\n`);
      const [match] = await search(await folder.open(), word);
      if (match === undefined || 'notice' in match) throw new Error('no match');
      assert.ok(match.content.length <= 2000, `${match.content.length} characters`);
      assert.match(match.content, /^…(?:😀)+needles?(?:😀)+…$/u);
    }
  }),
);

test(
  'matches each line separately',
  inFolder(async (folder) => {
    folder.write('a.txt', 'foo\nbar\nfoo(bar)\nfoo\n\nend foo');
    const connector = await folder.open();
    const lines = async (pattern: string): Promise<number[]> => {
      const items = await search(connector, pattern, { regex: true });
      return items.flatMap((item) => ('lines' in item ? [item.lines[0]] : []));
    };
    assert.equal(await lines('foo\\s*bar'), []);
    assert.equal(await lines('[^x]bar'), [3]);
    assert.equal(await lines('^foo$'), [1, 4]);
    assert.equal(await lines('foo(?![\\s\\S])'), [1, 4, 6]);
    assert.equal(await lines('\\s+\\S*foo'), [6]);
    assert.equal(await lines('^$'), [5]);
    assert.equal(await lines('(?<!\\s)bar'), [2, 3]);
    assert.equal(await lines('foo\\-?'), [1, 3, 4, 6]);
  }),
);

test(
  'rejects an invalid regular expression without repeating it',
  inFolder(async (folder) => {
    const connector = await folder.open();
    const error = await search(connector, 'secret(', { regex: true }).catch((e: unknown) => e);
    assert.match(String(error), /validation|pattern: a group `\(` is not closed/);
    assert.not.match(String(error), /secret/);
    assert.is(await codeOf(search(connector, '[', { regex: true })), 'validation_error');
    assert.equal(await search(connector, '['), []);
  }),
);

test(
  'stops a slow regular expression without affecting another search',
  inFolder(async (folder) => {
    folder.write('a.md', 'needle\n');
    folder.write('b.md', `${'a'.repeat(60)}!\n`);
    folder.write('c.md', 'needle\n');
    const connector = await folder.open();
    const endless = search(connector, '^(a+)+$|needle', { regex: true });
    const beside = search(connector, 'needle');
    assert.equal(shown(await beside), ['a.md:1:needle', 'c.md:1:needle']);
    const items = shown(await endless);
    assert.equal(items.slice(0, -1), ['a.md:1:needle', 'c.md:1:needle']);
    assert.match(
      items.at(-1) ?? '',
      /takes too long in b\.md, so part of the file was not searched/,
    );
    assert.equal(shown(await search(connector, 'needle')), ['a.md:1:needle', 'c.md:1:needle']);
  }),
);

test(
  'stops at once on abort, even during a match',
  inFolder(async (folder) => {
    folder.write('b.md', `${'a'.repeat(60)}!\n`);
    const connector = await folder.open();
    await search(connector, 'warm up');
    const reason = new Error('enough');
    const aborter = new AbortController();
    const endless = search(connector, '^(a+)+$', { regex: true, signal: aborter.signal });
    aborter.abort(reason);
    const error = await endless.catch((thrown: unknown) => thrown);
    assert.is(error, reason);
  }),
);

test(
  'does not search a folder that a link to the outside replaced',
  inFolder(async (folder) => {
    folder.write('outside/a.md', 'needle\n');
    folder.write('root/docs/a.md', 'needle\n');
    const connector = await folder.open('root');
    assert.is((await search(connector, 'needle')).length, 1);
    renameSync(folder.at('root/docs'), folder.at('old'));
    symlinkSync('../outside', folder.at('root/docs'));
    assert.equal(await search(connector, 'needle'), []);
  }),
);

test.run();
