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
import { all, failure, fill, get, isListing, pages, rows, type Got } from './fake-client.js';
import { startFakeGitlab } from './fake.js';

const test = suite('the fake GitLab, faults');

test('limits requests with a text or with JSON', async () => {
  await using fake = await startFakeGitlab();
  const { world, service, model } = fake;
  const limited = async (): Promise<Got> => {
    service.addFault(rateLimitFault(model, () => true, 30_000));
    return get(fake, all);
  };
  const text = await limited();
  assert.equal([text.status, text.text], [429, 'Retry later\n']);
  assert.is(text.headers.get('retry-after'), '30');
  assert.is(text.headers.get('ratelimit-remaining'), '0');
  world.limitForm = 'json';
  assert.match((await limited()).text, '"message":{"error":');
});

test('refuses a token in the middle of a listing', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 4);
  fake.service.addFault(revokedTokenFault(fake.model, isListing, 1));
  assert.match(await failure(pages(fake, `${all}&per_page=2`)), /401 .*invalid_token/);
});

test('fails on the third page with a page of HTML', async () => {
  await using fake = await startFakeGitlab();
  fill(fake, 6);
  fake.service.addFault(serverErrorFault(isListing));
  assert.match(await failure(pages(fake, `${all}&per_page=2`)), '502 <html>');
  assert.is((await pages(fake, `${all}&per_page=2`)).length, 3);
});

test('truncates, repeats and empties a page', async () => {
  await using fake = await startFakeGitlab();
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
