import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  type FakeRequest,
  type Fault,
  rateLimitFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import { startFakeGitlab, type FakeGitlab } from './fake.js';
import { open } from './source.js';

const test = suite('GitLab connector, syncs');
const hourMs = 3_600_000;

const isListing: Fault['matches'] = ({ path }) => path.endsWith('/issues');

/** A project with 250 issues, of which 3 have a note, 20 merge requests, of which one has two, and a release. */
function fill({ world }: FakeGitlab): void {
  for (let iid = 1; iid <= 250; iid++) {
    world.advance(1000);
    world.create('issue', { title: `Issue ${iid}` });
  }
  for (let iid = 1; iid <= 20; iid++) world.create('merge_request', { title: `Request ${iid}` });
  for (const iid of [1, 2, 3]) world.note('issue', iid, `Note ${iid}`);
  world.note('issue', 4, 'changed the description', { system: true });
  world.note('merge_request', 1, 'Good');
  world.note('merge_request', 1, 'Why?', { file: 'src/a.ts' });
  world.release('v1', 'First');
  world.advance(24 * hourMs);
}

function requests({ service }: FakeGitlab): string[] {
  return service.exchanges.map(({ request }) => describe(request));
}

/** What a request asks for, without its size and order. */
function describe({ path, query }: FakeRequest): string {
  const list = path.replace(/^\/api\/v4\/projects\/[^/]+/, '');
  const page = query.get('page');
  const since = query.has('updated_after') ? ' since' : '';
  return `${list}${since}${page === null ? '' : ` ${page}`}`;
}

test('requests each page of the first sync once, and notes of items with notes', async () => {
  await using fake = await startFakeGitlab();
  fill(fake);
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.equal(requests(fake).toSorted(), [
    '',
    '',
    '/issues',
    '/issues 2',
    '/issues 3',
    '/issues/1/notes',
    '/issues/2/notes',
    '/issues/3/notes',
    '/merge_requests',
    '/merge_requests/1/notes',
    '/releases',
    '/releases/v1',
  ]);
  assert.is(source.recordsOf('issues').length, 250 + 3);
  assert.is(source.recordsOf('merge_requests').length, 20 + 2);
  assert.equal([...source.documents], [['releases/v1.md', 'First']]);
});

test('requests four pages when nothing has changed', async () => {
  await using fake = await startFakeGitlab();
  fill(fake);
  const source = new SyncedSource(await open(fake));
  await source.sync();
  fake.service.forget();
  await source.sync();
  assert.equal(requests(fake).toSorted(), [
    '',
    '/issues since',
    '/merge_requests since',
    '/releases',
  ]);
});

test('finds changed and new issues and notes, and removes deleted notes', async () => {
  await using fake = await startFakeGitlab();
  fill(fake);
  const { world, service } = fake;
  const source = new SyncedSource(await open(fake));
  await source.sync();
  world.advance(24 * hourMs);
  world.close('issue', 7);
  for (const note of world.notes.values())
    if (['Note 1', 'Note 2'].includes(note.body)) world.removeNote(note.id);
  world.edit('issue', 2, { title: 'Without notes' });
  world.note('issue', 1, 'A new note');
  world.create('issue', { title: 'A new issue' });
  service.forget();
  await source.sync();
  assert.is(service.exchanges.length, 4 + 4);
  const records = source.recordsOf('issues');
  assert.is(records.length, 250 + 3 + 2 - 2);
  assert.is(records.filter(({ thread }) => thread === '2').length, 1);
  const closed = records.find(({ title }) => title === 'Issue 7');
  assert.is(closed?.threadFields?.['state'], 'closed');
  const thread = records.filter((record) => record.thread === '1');
  assert.equal(
    thread.map(({ title, text }) => title ?? text),
    ['Issue 1', 'A new note'],
  );
});

test('removes deleted and hidden issues in a full sync', async () => {
  await using fake = await startFakeGitlab();
  fill(fake);
  fake.world.create('issue', { title: 'Secret', confidential: true });
  const source = new SyncedSource(await open(fake));
  await source.sync();
  fake.world.remove('issue', 1);
  fake.world.seesConfidential = false;
  await source.sync({ isFull: true });
  assert.is(source.recordsOf('issues').length, 249 + 2);
});

test('finds deleted issues and comments within a week', async () => {
  await using fake = await startFakeGitlab();
  fill(fake);
  const { world } = fake;
  const source = new SyncedSource(await open(fake));
  await source.sync();
  world.remove('issue', 7);
  world.removeNote([...world.notes.keys()][0] ?? 0);
  world.advance(24 * hourMs);
  await source.sync();
  assert.is(source.recordsOf('issues').length, 250 + 3);
  world.advance(6 * 24 * hourMs);
  await source.sync();
  assert.is(source.recordsOf('issues').length, 250 + 3 - 2);
});

test('requests no page twice when the service limits requests', async () => {
  await using fake = await startFakeGitlab();
  fill(fake);
  const { service, model, world } = fake;
  for (const form of ['text', 'json'] as const) {
    world.limitForm = form;
    service.forget();
    service.addFault({ ...rateLimitFault(model, isListing, 1000), after: 2 });
    const source = new SyncedSource(await open(fake));
    await source.sync();
    const answered = service.exchanges.filter(({ status }) => status === 200);
    const seen = answered.map(({ request }) => describe(request)).filter((each) => each !== '');
    assert.equal(new Set(seen).size, seen.length, form);
    assert.is(source.recordsOf('issues').length, 250 + 3);
  }
});

test('continues after errors of the server and after invalid answers', async () => {
  await using fake = await startFakeGitlab();
  fill(fake);
  fake.service.addFault(serverErrorFault(isListing));
  fake.service.addFault(truncatedFault(({ path }) => path.endsWith('/2/notes')));
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.is(source.recordsOf('issues').length, 250 + 3);
});

test('lists the rest and warns when merge requests are disabled', async () => {
  await using fake = await startFakeGitlab();
  fill(fake);
  fake.world.enabled.merge_request = false;
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.is(source.recordsOf('issues').length, 250 + 3);
  assert.is(source.recordsOf('merge_requests').length, 0);
});

test.run();
