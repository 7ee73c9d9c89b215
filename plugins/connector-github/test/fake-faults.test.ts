import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  emptyPageFault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import {
  all,
  failure,
  fill,
  get,
  isListing,
  linkOf,
  messageOf,
  pages,
  rows,
  type Got,
} from './fake-client.js';
import { startFakeGithub } from './fake.js';

const test = suite('the fake GitHub, faults');

test('limits requests in both forms', async () => {
  await using fake = await startFakeGithub();
  const { world, service, model } = fake;
  const limited = async (): Promise<Got> => {
    service.addFault(rateLimitFault(model, () => true, 30_000));
    return get(fake, '/user');
  };
  const secondary = await limited();
  assert.is(secondary.status, 403);
  assert.is(secondary.headers.get('retry-after'), '30');
  assert.ok(Number(secondary.headers.get('x-ratelimit-remaining')) > 0);
  world.limitForm = 'primary';
  world.limitStatus = 429;
  const primary = await limited();
  assert.is(primary.status, 429);
  assert.is(primary.headers.get('retry-after'), null);
  assert.is(primary.headers.get('x-ratelimit-remaining'), '0');
  const waitMs = Number(primary.headers.get('x-ratelimit-reset')) * 1000 - Date.now();
  assert.ok(waitMs > 25_000 && waitMs <= 31_000, String(waitMs));
});

test('refuses a token in the middle of a listing', async () => {
  await using fake = await startFakeGithub();
  fill(fake, 4);
  fake.service.addFault(revokedTokenFault(fake.model, isListing, 1));
  const first = await get(fake, `${all}&per_page=2`);
  assert.is(first.status, 200);
  const second = await get(fake, linkOf(first, 'next') ?? '');
  assert.is(second.status, 401);
  assert.is(messageOf(second), 'Bad credentials');
});

test('fails on the third page with a page of HTML', async () => {
  await using fake = await startFakeGithub();
  fill(fake, 6);
  fake.service.addFault(serverErrorFault(isListing));
  assert.match(await failure(pages(fake, `${all}&per_page=2`)), '502 <html>');
  assert.equal(await pages(fake, `${all}&per_page=2`), [
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});

test('truncates, repeats and empties a page', async () => {
  await using fake = await startFakeGithub();
  fill(fake, 4);
  fake.service.addFault(truncatedFault(isListing));
  assert.match(await failure(pages(fake, all)), 'JSON');
  fake.service.addFault(repeatedPageFault(isListing));
  const [first, second] = [await get(fake, `${all}&per_page=2`), await get(fake, all)];
  assert.equal(rows(second), rows(first));
  fake.service.addFault(emptyPageFault(isListing, () => []));
  assert.equal(await pages(fake, `${all}&per_page=2`), [[], [3, 4]]);
});

test.run();
