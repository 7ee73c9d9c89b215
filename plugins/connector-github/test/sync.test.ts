import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import {
  emptyPageFault,
  type FakeRequest,
  type Fault,
  rateLimitFault,
  repeatedPageFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import { startFakeGithub, type FakeGithub } from './fake.js';
import { open } from './source.js';

const test = suite('GitHub connector, syncs');
const hourMs = 3_600_000;

const isListing: Fault['matches'] = ({ path, query }) =>
  path.endsWith('/issues') && query.get('per_page') !== '1';

/** A repository with 250 issues, 20 pull requests, 120 comments, a comment on a line, a review and a release. */
function fill({ world }: FakeGithub): void {
  for (let index = 1; index <= 250; index++) world.createIssue({ title: `Issue ${index}` });
  for (let index = 1; index <= 20; index++) world.createPull({ title: `Pull ${index}` });
  for (let index = 1; index <= 120; index++) world.comment(index, { body: `Comment ${index}` });
  world.commentLine(251, 'src/a.ts', { body: 'Why?' });
  world.review(251, 'Good');
  world.release('v1', 'First');
  world.advance(24 * hourMs);
}

/** What a request asks for, without its size. */
function requests({ service }: FakeGithub): string[] {
  return service.exchanges.map(({ request }) => describe(request));
}

function describe({ path, query }: FakeRequest): string {
  if (query.get('per_page') === '1') return 'check';
  const page = query.get('page');
  const list = path
    .replace(/^\/repos\/[^/]+\/[^/]+|^\/repositories\/\d+/, '')
    .replace(/(\/releases)\/\d+/, '$1/ID');
  if (list === '') return 'repository';
  return `${list}${query.has('since') ? ' since' : ''}${page === null ? '' : ` ${page}`}`;
}

const titles = (source: SyncedSource): Set<string | undefined> =>
  new Set(source.recordsOf('issues').map(({ title }) => title));

test('requests each page of the first sync once', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.equal(requests(fake).toSorted(), [
    '/issues',
    '/issues 2',
    '/issues 3',
    '/issues/comments',
    '/issues/comments 2',
    '/pulls/comments',
    '/releases',
    '/releases/ID',
    'check',
    'repository',
    'repository',
  ]);
  assert.is(source.recordsOf('issues').length, 250 + 20 + 120 + 1);
  assert.equal([...source.documents], [['releases/v1.md', 'First']]);
});

test('requests six pages when nothing has changed', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const source = new SyncedSource(await open(fake));
  await source.sync();
  fake.world.advance(24 * hourMs);
  fake.service.forget();
  await source.sync();
  assert.equal(requests(fake).toSorted(), [
    '/issues since',
    '/issues/comments since',
    '/pulls/comments since',
    '/releases',
    'check',
    'repository',
  ]);
});

test('finds changed and new issues and comments in as many requests', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const { world, service } = fake;
  const source = new SyncedSource(await open(fake));
  await source.sync();
  const before = source.recordsOf('issues').length;
  world.advance(24 * hourMs);
  world.edit(7, { title: 'Renamed' });
  world.close(7);
  world.comment(8, { body: 'A new comment' });
  const [first] = world.comments.keys();
  world.editComment(first ?? 0, 'An edited comment');
  world.createIssue({ title: 'A new issue' });
  service.forget();
  await source.sync();
  assert.is(service.exchanges.length, 6);
  const records = source.recordsOf('issues');
  assert.is(records.length, before + 2);
  const renamed = records.find(({ title }) => title === 'Renamed');
  assert.is(renamed?.threadFields?.['state'], 'closed');
  const texts = new Set(records.map(({ text }) => text));
  assert.ok(texts.has('A new comment') && texts.has('An edited comment'));
  assert.not.ok(texts.has('Comment 1'));
  assert.ok(titles(source).has('A new issue'));
});

test('finds an item that the service lists hours after its change', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const source = new SyncedSource(await open(fake));
  fake.world.createIssue({ title: 'Late', lateMs: 2 * hourMs });
  fake.world.advance(hourMs);
  await source.sync();
  assert.not.ok(titles(source).has('Late'));
  fake.world.advance(2 * hourMs);
  await source.sync();
  assert.ok(titles(source).has('Late'));
});

test('lists all issues although one changes during the listing', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const { service, world } = fake;
  service.addFault({
    matches: ({ query }) => query.get('page') === '2',
    apply: (_request, normal) => {
      world.edit(5, { title: 'Changed meanwhile' });
      return normal();
    },
  });
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.is(source.recordsOf('issues').length, 250 + 20 + 120 + 1);
});

test('finds changed and removed releases', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const { world } = fake;
  const source = new SyncedSource(await open(fake));
  const second = world.release('v2', 'Second');
  await source.sync();
  assert.is(source.documents.get('releases/v2.md'), 'Second');
  world.advance(24 * hourMs);
  world.editRelease(second.id, 'Second, corrected');
  for (const { id, tag } of world.releases.values()) if (tag === 'v1') world.removeRelease(id);
  await source.sync();
  assert.equal([...source.documents], [['releases/v2.md', 'Second, corrected']]);
});

test('removes deleted issues and comments in a full sync', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const source = new SyncedSource(await open(fake));
  await source.sync();
  fake.world.remove(7);
  await source.sync({ isFull: true });
  assert.not.ok(titles(source).has('Issue 7'));
  assert.is(source.recordsOf('issues').length, 250 + 20 + 120 + 1 - 2);
});

test('finds deleted issues and comments within a week', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const { world } = fake;
  const source = new SyncedSource(await open(fake));
  await source.sync();
  world.remove(7);
  world.removeComment([...world.comments.keys()][0] ?? 0);
  world.advance(24 * hourMs);
  await source.sync();
  assert.is(source.recordsOf('issues').length, 250 + 20 + 120 + 1);
  world.advance(6 * 24 * hourMs);
  await source.sync();
  assert.is(source.recordsOf('issues').length, 250 + 20 + 120 + 1 - 3);
});

test('requests no page twice when the service limits requests', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const { service, model, world } = fake;
  const isThird: Fault['matches'] = ({ path, query }) =>
    path.endsWith('/issues') && query.get('page') === '3';
  for (const form of ['secondary', 'primary'] as const) {
    world.limitForm = form;
    service.forget();
    service.addFault(rateLimitFault(model, isThird, 1000));
    const source = new SyncedSource(await open(fake));
    await source.sync();
    const answered = service.exchanges.filter(({ status }) => status === 200);
    const seen = answered
      .map(({ request }) => describe(request))
      .filter((each) => each !== 'check' && each !== 'repository');
    assert.equal(new Set(seen).size, seen.length, form);
    assert.is(source.recordsOf('issues').length, 250 + 20 + 120 + 1);
  }
});

test('continues after errors of the server and after invalid answers', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  const { service } = fake;
  service.addFault(serverErrorFault(isListing));
  service.addFault(truncatedFault(({ path }) => path.endsWith('/issues/comments')));
  service.addFault(repeatedPageFault(({ path }) => path.endsWith('/pulls/comments')));
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.is(source.recordsOf('issues').length, 250 + 20 + 120 + 1);
});

test('continues after an empty page that is not the last', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  fake.service.addFault(emptyPageFault(isListing, () => []));
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.is(source.recordsOf('issues').length, 150 + 20 + 120 + 1);
});

test('follows cursors and the redirect of a renamed repository', async () => {
  await using fake = await startFakeGithub();
  fill(fake);
  fake.world.usesCursors = true;
  fake.world.rename('falcon');
  const source = new SyncedSource(await open(fake));
  await source.sync();
  assert.is(source.recordsOf('issues').length, 250 + 20 + 120 + 1);
});

test('reads reviews of changed pull requests when they are requested', async () => {
  await using fake = await startFakeGithub();
  const { world, service } = fake;
  for (const title of ['First', 'Second']) world.createPull({ title });
  world.createIssue({ title: 'No pull request' });
  world.review(1, 'Good');
  world.review(2, '');
  world.advance(24 * hourMs);
  const source = new SyncedSource(await open(fake, { reviews: true }));
  await source.sync();
  const reviews = source.recordsOf('issues').filter(({ fields }) => fields['type'] === 'review');
  assert.equal(
    reviews.map(({ text }) => text),
    ['Good'],
  );
  world.advance(24 * hourMs);
  world.review(2, 'Not yet', 'CHANGES_REQUESTED');
  service.forget();
  await source.sync();
  const review = source.recordsOf('issues').find(({ text }) => text === 'Not yet');
  assert.equal(
    [review?.thread, review?.fields['verdict'], review?.author],
    ['2', 'changes_requested', 'bob'],
  );
  assert.equal(
    requests(fake).filter((each) => each.endsWith('/reviews')),
    ['/pulls/2/reviews'],
  );
});

test('requests reviews of a thread only if they are included', async () => {
  await using fake = await startFakeGithub();
  const { world, service } = fake;
  world.createPull({ title: 'First' });
  world.createIssue({ title: 'No pull request' });
  world.review(1, 'Good');
  const reviewsOf = async (reviews: boolean, thread: string): Promise<string[]> => {
    const connector = await open(fake, { reviews });
    service.forget();
    const { signal } = new AbortController();
    await collect(connector.records?.('issues', { thread, signal }));
    return requests(fake).filter((each) => each.endsWith('/reviews'));
  };
  assert.equal(await reviewsOf(false, '1'), []);
  assert.equal(await reviewsOf(true, '1'), ['/pulls/1/reviews']);
  assert.equal(await reviewsOf(true, '2'), []);
});

test.run();
