import { isCheckpoint, type Change, type Connector } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { startHttpFake, type FakeItem, type HttpFake } from '../../src/http/fake/index.js';
import { rejection } from '@trove/test-support/rejection.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { drivePlugin as plugin } from './drive-plugin.js';
import { all, changesSince, neverAborted } from './open-desk.js';

const test = suite('documents of web services');

const hourMs = 3_600_000;

interface OpenDrive {
  readonly drive: HttpFake;
  readonly connector: Connector;
}

async function withDrive(use: (open: OpenDrive) => Promise<void>): Promise<void> {
  await using drive = await startHttpFake(plugin, {
    config: (url) => ({ url }),
    rootFolder: 'top',
  });
  const config = configFor(plugin, drive.config);
  const connector = await plugin.create(
    connectorContext({ target: drive.target, http: connectorHttp(), config }),
  );
  putFolder(drive, 'f2', 'inner', 'f1');
  putFolder(drive, 'f1', 'outer');
  putFile(drive, 'a', { name: 'a.txt', parent: 'f2' }, 'alpha');
  putFile(drive, 'b', { name: 'b.txt' });
  try {
    await use({ drive, connector });
  } finally {
    await connector.close?.();
  }
}

function putFolder(
  drive: HttpFake,
  id: string,
  name: string,
  parent = 'top',
  created = Date.now() - hourMs,
): void {
  drive.put('folders', { id, name, parent, created });
}

function putFile(drive: HttpFake, id: string, file: FakeItem, content = ''): void {
  drive.put('files', { id, name: id, parent: 'top', type: 'text/plain', modified: 1e12, ...file });
  drive.setContent('files', id, content);
}

function facts(changes: readonly Change[]): string[] {
  return changes.map((change) => {
    if ('entry' in change) return `+${change.entry.path}`;
    return 'removed' in change ? `-${change.removed}` : JSON.stringify(change);
  });
}

async function pathsOf(connector: Connector): Promise<string[]> {
  const items = await all(connector.list({ signal: neverAborted() }));
  return items.flatMap((item) => ('path' in item ? [item.path] : [])).sort();
}

test('keeps a document whose change cannot be used', () =>
  withDrive(async ({ drive, connector }) => {
    const { cursor } = await changesSince(connector, undefined);
    putFile(drive, 'b', { name: null }, 'beta');
    putFile(drive, 'c', { name: 'c.txt' });
    const second = await changesSince(connector, cursor);
    assert.equal(facts(second.changes), ['+c.txt']);
    putFile(drive, 'b', { name: 'b.txt' }, 'beta');
    const third = await changesSince(connector, second.cursor);
    assert.equal(facts(third.changes), ['+c.txt', '+b.txt']);
  }));

test('lists everything again after a listing with a document that cannot be used', () =>
  withDrive(async ({ drive, connector }) => {
    for (const id of ['a', 'b']) putFile(drive, id, { name: null, parent: 'f2' });
    let cursor: unknown;
    const commit = (value: unknown): unknown => (cursor = structuredClone(value));
    const signal = neverAborted();
    const error = await rejection(() => all(connector.changes?.({ cursor, commit, signal })));
    assert.is(error.code, 'listing_incomplete');
    assert.equal(JSON.parse(JSON.stringify(cursor)), cursor);
    for (const id of ['a', 'b']) putFile(drive, id, { name: `${id}.txt` });
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes[0], { reset: true });
    assert.equal(facts(changes.slice(1)).toSorted(), ['+a.txt', '+b.txt']);
  }));

test('fails when the answer with changes has no list', () =>
  withDrive(async ({ drive, connector }) => {
    const { cursor } = await changesSince(connector, undefined);
    drive.addFault({
      matches: ({ path }) => path === '/changes',
      times: Infinity,
      apply: () => ({ json: { token: '1' } }),
    });
    const error = await rejection(() => changesSince(connector, cursor));
    assert.match(error.message, 'the changes of `files` has no list');
  }));

test('places documents in folders by the ids of their parents', () =>
  withDrive(async ({ drive, connector }) => {
    putFile(drive, 'c', { name: 'shared.txt', parent: 'unknown' });
    putFile(drive, 'd', { name: 'b.txt' });
    putFolder(drive, 'f3', 'outer');
    putFile(drive, 'e', { name: 'e/x', parent: 'f3' });
    assert.equal(await pathsOf(connector), [
      'Shared/shared.txt',
      'b ~d.txt',
      'b.txt',
      'outer ~f3/e∕x',
      'outer/inner/a.txt',
    ]);
  }));

test('reads content, ranges and exports', () =>
  withDrive(async ({ drive, connector }) => {
    putFile(drive, 'p', { name: 'paper', type: 'paper' }, '# Title');
    putFile(drive, 'q', { name: 'form', type: 'form' });
    const read = async (path: string, start?: number): Promise<string> => {
      const range = start === undefined ? {} : { range: { start } };
      const { bytes, start: at = 0 } = (await connector.read?.(path, {
        signal: neverAborted(),
        ...range,
      })) ?? { bytes: new Uint8Array(0) };
      const pieces = bytes instanceof Uint8Array ? [bytes] : await all(bytes);
      return `${at} ${Buffer.concat(pieces).toString()}`;
    };
    assert.is(await read('outer/inner/a.txt'), '0 alpha');
    assert.is(await read('outer/inner/a.txt', 2), '2 pha');
    assert.is(await read('paper.md'), '0 # Title');
    assert.is((await rejection(() => read('form'))).code, 'not_supported');
    assert.is((await rejection(() => read('nothing'))).code, 'not_found');
    const entries = await all(connector.list({ signal: neverAborted() }));
    const form = entries.find((entry) => 'path' in entry && entry.path === 'form');
    assert.is(Object(form).skip, 'Forms have no content.');
  }));

test('reads a document by its identity without a listing', () =>
  withDrive(async ({ drive, connector }) => {
    await connector.read?.('outer/inner/a.txt', { signal: neverAborted(), identity: 'a' });
    const paths = drive.exchanges.map(({ request }) => request.path);
    assert.equal(paths, ['/files/a', '/files/a/content']);
  }));

test('reports changed, renamed, moved and deleted documents of a feed', () =>
  withDrive(async ({ drive, connector }) => {
    const { cursor } = await changesSince(connector, undefined);
    drive.setContent('files', 'a', 'changed');
    drive.edit('files', 'b', { parent: 'f1', name: 'renamed.txt' });
    putFile(drive, 'c', { name: 'new.txt' });
    const second = await changesSince(connector, cursor);
    assert.equal(facts(second.changes), [
      '+outer/inner/a.txt',
      '+outer/renamed.txt',
      '-b.txt',
      '+new.txt',
    ]);
    drive.delete('files', 'c');
    drive.forget();
    const third = await changesSince(connector, second.cursor);
    assert.equal(facts(third.changes), ['-new.txt']);
    assert.equal(facts((await changesSince(connector, third.cursor)).changes), []);
  }));

test('lists everything again when a folder has moved', () =>
  withDrive(async ({ drive, connector }) => {
    const { cursor } = await changesSince(connector, undefined);
    putFolder(drive, 'f9', 'empty', 'top', Date.now() + hourMs);
    const second = await changesSince(connector, cursor);
    assert.equal(second.changes, []);
    putFolder(drive, 'f1', 'renamed');
    const third = await changesSince(connector, second.cursor);
    assert.equal(third.changes[0], { reset: true });
    assert.equal(facts(third.changes.slice(1)).sort(), ['+b.txt', '+renamed/inner/a.txt']);
  }));

test('lists everything again when an older folder appears', () =>
  withDrive(async ({ drive, connector }) => {
    putFile(drive, 'c', { name: 'c.txt', parent: 'f3' });
    const { cursor } = await changesSince(connector, undefined);
    putFolder(drive, 'f3', 'restored');
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes[0], { reset: true });
    assert.equal(facts(changes.slice(1)).sort(), [
      '+b.txt',
      '+outer/inner/a.txt',
      '+restored/c.txt',
    ]);
  }));

test('lists everything again when the token has expired', () =>
  withDrive(async ({ drive, connector }) => {
    const { cursor } = await changesSince(connector, undefined);
    putFile(drive, 'c', { name: 'new.txt' });
    drive.expireCursors();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes[0], { reset: true });
    assert.is(changes.length, 4);
  }));

test('takes the token of the feed before the listing', () =>
  withDrive(async ({ drive, connector }) => {
    drive.addFault({
      matches: ({ path, query }) => path === '/files' && query.get('kind') === null,
      apply: async (_request, normal) => {
        const answer = await normal();
        putFile(drive, 'late', { name: 'late.txt' });
        return answer;
      },
    });
    const first = await changesSince(connector, undefined);
    assert.not(facts(first.changes).includes('+late.txt'));
    const second = await changesSince(connector, first.cursor);
    assert.equal(facts(second.changes), ['+late.txt']);
  }));

test('keeps the token of the feed in a checkpoint of the listing', () =>
  withDrive(async ({ drive, connector }) => {
    for (let count = 0; count < 5; count++) putFile(drive, `x${count}`, {});
    let resume: unknown;
    const signal = neverAborted();
    const commit = (): void => undefined;
    for await (const item of connector.changes?.({ cursor: undefined, commit, signal }) ?? []) {
      if (!('checkpoint' in item)) continue;
      resume = structuredClone(item.checkpoint);
      break;
    }
    putFile(drive, 'late', { name: 'late.txt' });
    let cursor: unknown;
    await all(
      connector.changes?.({ cursor: undefined, resume, signal, commit: (next) => (cursor = next) }),
    );
    const { changes } = await changesSince(connector, cursor);
    assert.ok(facts(changes).includes('+late.txt'));
  }));

/** The cursor of a listing has the ids of its files. Long ones do not fit into a checkpoint. */
for (const [size, files, idChars] of [
  ['short', 5, 1],
  ['long', 100, 1000],
] as const)
  test(`keeps files with the same name apart after a checkpoint of a ${size} cursor`, () =>
    withDrive(async ({ drive, connector }) => {
      for (let count = 0; count < files; count++)
        putFile(drive, `${'x'.repeat(idChars)}${count}`, { name: 'plan.txt' });
      const request = { cursor: undefined, commit: () => undefined, signal: neverAborted() };
      const whole = await all(connector.changes?.(request));
      const entriesOf = (changes: readonly Change[]): string[] =>
        facts(changes.filter((change) => 'entry' in change));
      const last = whole.findLastIndex((change) => isCheckpoint(change));
      const change = whole[last];
      assert.ok(change !== undefined && isCheckpoint(change));
      const resume: unknown = JSON.parse(JSON.stringify(change.checkpoint));
      const rest = await all(connector.changes?.({ ...request, resume }));
      assert.equal(entriesOf(rest), entriesOf(whole.slice(last + 1)));
    }));

test('explains the token of a feed, then its changes', () =>
  withDrive(async ({ drive, connector }) => {
    const shown = async (cursor: unknown): Promise<string[]> => {
      const explanation = await connector.explain?.({ cursor, signal: neverAborted() });
      const requests = explanation?.requests ?? [];
      return requests.map(({ name, request }) => `${name}: ${request.split(drive.origin)[1]}`);
    };
    assert.equal(await shown(undefined), [
      'check: /me',
      'files, token of changes: /changes/start',
      'folders: /files?kind=folder',
      'folders, top: /files/top',
      'files: /files',
      'files, content: /files/{id}/content',
    ]);
    assert.is(drive.exchanges.length, 0);
    const { cursor } = await changesSince(connector, undefined);
    const [check, changes, ...others] = await shown(cursor);
    assert.is(check, 'check: /me');
    assert.match(changes ?? '', /^files, changes: \/changes\?token=t0-\d+$/);
    assert.equal(others, ['files, content: /files/{id}/content']);
  }));

test.run();
