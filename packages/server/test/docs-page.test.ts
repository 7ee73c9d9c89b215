import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Host } from '../src/host.js';
import { openApiDocument } from '../src/openapi/document.js';
import { pages } from '../src/routes/pages.js';
import { routes } from '../src/routes/table.js';
import { withHost } from './support/server.js';

const test = suite('the documentation page');

const get = (host: Host, path: string) => fetch(`${host.url}${path}`);

test('all its parts come from the server, without a token', () =>
  withHost({}, async (host) => {
    const html = await (await get(host, '/docs')).text();
    const parts = [...html.matchAll(/(?:href|src)="([^":]+)"/g)].map(([, path]) => `/${path}`);
    assert.equal(
      ['/docs', ...parts].sort(),
      pages.map(({ path }) => path).sort(),
      'what the page loads is what is served',
    );
    for (const [path, type, least] of [
      ['/docs', 'text/html; charset=utf-8', 500],
      ['/docs/page.js', 'text/javascript; charset=utf-8', 500],
      ['/docs/page.css', 'text/css; charset=utf-8', 100],
      ['/docs/swagger-ui.js', 'text/javascript; charset=utf-8', 1_000_000],
      ['/docs/swagger-ui.css', 'text/css; charset=utf-8', 100_000],
    ] as const) {
      const response = await get(host, path);
      assert.is(response.status, 200, path);
      assert.is(response.headers.get('content-type'), type);
      assert.is(response.headers.get('x-content-type-options'), 'nosniff');
      assert.ok((await response.arrayBuffer()).byteLength >= least, path);
    }
  }));

test('nothing is loaded from elsewhere or sent elsewhere', () =>
  withHost({}, async (host) => {
    const response = await get(host, '/docs');
    const policy = response.headers.get('content-security-policy') ?? '';
    const directives = new Map(
      policy.split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources];
      }),
    );
    assert.equal(directives.get('default-src'), ["'none'"]);
    assert.equal(directives.get('script-src'), ["'self'"]);
    assert.equal(directives.get('connect-src'), ["'self'"]);
    const sources = [...directives.values()].flat();
    const known = ["'none'", "'self'", 'data:'];
    assert.equal(
      sources.filter((source) => !known.includes(source)),
      [],
    );
    for (const name of ['docs.html', 'docs.js', 'docs.css']) {
      const text = await readFile(new URL(`../pages/${name}`, import.meta.url), 'utf8');
      assert.not.match(text, /\/\/[a-z0-9-]+\.[a-z]/i, name);
    }
  }));

test('the calls that the page makes need the token, and the page is no part of the API', () =>
  withHost({}, async (host) => {
    assert.is((await get(host, '/openapi.json')).status, 401);
    assert.not.match(JSON.stringify(openApiDocument(routes)), '/docs');
  }));

test.run();
