// The web service of `bench:services`, in its own process. Lists its items in every kind of pages and counts requests.
import { createServer } from 'node:http';

import { answerWith } from '../child.mjs';
import { itemOf } from './items.mjs';

const pageSize = 100;

let items = [];
/** The number of requests for each address. */
const requests = new Map();

const answers = {
  link: ({ page, url, next, isLast }) => ({
    body: page,
    headers: isLast ? {} : { link: `<${addressOf(url, 'offset', next)}>; rel="next"` },
  }),
  next: ({ page, url, next, isLast }) => ({
    body: { items: page, ...(isLast ? {} : { next: addressOf(url, 'offset', next) }) },
  }),
  cursor: ({ page, next, isLast }) => ({
    body: { items: page, ...(isLast ? {} : { cursor: `c${next}` }) },
  }),
  page: ({ page, all }) => ({ body: { items: page, pages: Math.ceil(all.length / pageSize) } }),
  offset: ({ page, all }) => ({ body: { items: page, total: all.length } }),
  keyset: ({ page }) => ({ body: { items: page } }),
};
answers.function = answers.cursor;

const server = createServer((request, response) => {
  const url = new URL(request.url, `http://${request.headers.host}`);
  if (url.pathname !== '/me') requests.set(request.url, (requests.get(request.url) ?? 0) + 1);
  const { body, headers } = answerOf(url);
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();

answerWith(({ fill, change, count }) => {
  if (fill !== undefined) items = Array.from({ length: fill }, (_, at) => itemOf(at + 1));
  if (change !== undefined) items[change - 1] = changed(items[change - 1]);
  if (count !== true) return { url: `http://127.0.0.1:${port}` };
  const counts = [...requests.values()];
  requests.clear();
  return { total: counts.length, twice: counts.filter((number) => number > 1).length };
});

function answerOf(url) {
  if (url.pathname === '/me') return { body: { name: 'Robot' } };
  const [, kind, id] = url.pathname.split('/');
  if (kind === 'items') return { body: items[Number(id) - 1] };
  const since = Date.parse(url.searchParams.get('since') ?? '');
  const all = Number.isNaN(since) ? items : items.filter(({ updated }) => updated >= since);
  const start = startOf(all, url.searchParams);
  const next = start + pageSize;
  const page = all.slice(start, next);
  return answers[kind]({ page, all, url, next, isLast: next >= all.length });
}

function startOf(all, parameters) {
  const after = Number(parameters.get('after') ?? 0);
  if (after > 0) return all.filter(({ id }) => id <= after).length;
  const page = Number(parameters.get('page') ?? 1);
  const cursor = parameters.get('cursor')?.slice(1);
  return Number(cursor ?? parameters.get('offset') ?? (page - 1) * pageSize);
}

function addressOf(url, name, value) {
  const next = new URL(url);
  next.searchParams.set(name, String(value));
  return next.href;
}

function changed(item) {
  return { ...item, text: `Ship ${item.id} left again.`, version: 2, updated: Date.now() };
}
