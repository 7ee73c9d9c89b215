import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { nextPage } from '../src/paging.js';

const test = suite('pages of GitLab');
const url = 'https://gitlab.com/api/v4/projects/5/issues';

const items = [{ created_at: '2026-03-01T00:00:00Z' }, { created_at: '2026-03-02T00:00:00.123Z' }];

function pageAfter(links: string, found: readonly unknown[] = items): unknown {
  return nextPage({ status: 200, headers: new Headers({ link: links }), body: found, url }, found);
}

test('ends without a link', () => {
  assert.is(pageAfter(`<${url}?page=1>; rel="first"`), null);
});

test('follows the link up to the largest offset', () => {
  const next = `${url}?page=500&per_page=100`;
  assert.equal(pageAfter(`<${url}?page=498>; rel="prev", <${next}>; rel="next"`), { url: next });
});

test('continues after the last creation beyond the largest offset', () => {
  assert.equal(pageAfter(`<${url}?page=501&per_page=100>; rel="next"`), {
    values: { 'query.created_after': '2026-03-02T00:00:00.123Z' },
  });
});

test.run();
