import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routes } from '../src/routes/table.js';
import { unlistedRoutes } from '../src/routes/unlisted.js';
import { call, token, withHost } from './support/server.js';

const test = suite('llms.txt');
const auth = { mode: 'open' } as const;

/** The requests in a text: the path with its query, and the body if there is one. */
function requestsIn(text: string): { url: string; body: string | undefined }[] {
  const commands = text.matchAll(/^ {4}curl .*?"(http[^"]+)"(?:.* -d '(.*)')?$/gm);
  return [...commands].map(([, url = '', body]) => ({ url, body }));
}

test('needs no token and names the address of the request', () =>
  withHost({}, async (host) => {
    for (const origin of [host.url, host.url.replace('127.0.0.1', 'localhost')]) {
      const response = await fetch(`${origin}/llms.txt`);
      assert.is(response.status, 200);
      assert.is(response.headers.get('content-type'), 'text/plain; charset=utf-8');
      const text = await response.text();
      const origins = new Set(text.match(/https?:\/\/[^/\s"]+/g));
      assert.equal([...origins], [origin]);
      assert.not.match(text, token);
    }
  }));

test('names only routes that exist, and every route for agents', () =>
  withHost({}, async (host) => {
    const text = await (await fetch(`${host.url}/llms.txt`)).text();
    const urls = text.matchAll(/https?:\/\/[^\s")]+/g);
    const named = new Set([...urls].map(([url]) => new URL(url).pathname));
    const known = [...routes, ...unlistedRoutes({ base: '', auth }), { path: '/mcp' }].map(
      ({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    );
    assert.equal(
      [...named].filter((path) => !known.some((each) => each.test(path))),
      [],
    );
    const forAgents = ['search', 'grep', 'symbols', 'ls', 'cat', 'search/batch', 'read/batch'];
    const ofGraphs = ['/graphs', '/query', '/graph/guide/stats'];
    for (const path of ['/mcp', ...ofGraphs, ...forAgents.map((name) => `/v1/${name}`)])
      assert.ok(named.has(path), path);
  }));

test('names graph routes below their base', () =>
  withHost(
    {},
    async (host) => {
      const text = await (await fetch(`${host.url}/llms.txt`)).text();
      assert.match(text, `${host.url}/graphs-api/query?graph_name=guide`);
      assert.not.match(text, `${host.url}/query`);
    },
    { routes: unlistedRoutes({ base: '/graphs-api', auth }) },
  ));

test('behind a proxy, names no address', () =>
  withHost({}, async (host) => {
    const headers = { 'x-forwarded-proto': 'https' };
    const text = await (await fetch(`${host.url}/llms.txt`, { headers })).text();
    assert.not.match(text, /https?:\/\//);
    assert.match(text, '"$TROVE_URL/v1/status"');
    assert.match(text, '`$TROVE_URL` is the address of this document without `/llms.txt`.');
  }));

test('shows requests that the server accepts', () => {
  const answer = () => Promise.resolve({ results: [] } as never);
  const engine = { search: answer, grep: answer, symbols: answer, ls: answer, cat: answer };
  const graph = { graphs: answer, query: answer, stats: answer, neighbors: answer } as never;
  const others = { status: answer, searchBatch: answer, readBatch: answer, graph };
  return withHost({ ...engine, ...others }, async (host) => {
    const requests = requestsIn(await (await fetch(`${host.url}/llms.txt`)).text());
    assert.is(requests.length, 12);
    for (const { url, body } of requests) {
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.parse(body) as unknown };
      const { status } = await call(host, url.slice(host.url.length), sent);
      assert.is(status, 200, url);
    }
  });
});

test.run();
