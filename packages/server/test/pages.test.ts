import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Host } from '../src/host.js';
import { openApiDocument } from '@trove/operations';
import { pages } from '../src/routes/pages.js';
import { routes } from '../src/routes/table.js';
import { withHost } from './support/server.js';

const test = suite('pages');
const shown = ['/', '/docs'];
const consoleFiles = ['/', '/console/console.js', '/console/console.css'];
/** The compressed size of the console. */
const maxConsoleBytes = 150_000;

const get = (host: Host, path: string) => fetch(`${host.url}${path}`);

/** A page and all files that it and its modules load. */
async function partsOf(host: Host, path: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(path)) return found;
  found.add(path);
  if (/cytoscape|swagger/.test(path)) return found;
  const text = await (await get(host, path)).text();
  const links = text.matchAll(
    /(?:href|src)="([^":]+\.(?:css|js))"|(?:from |import\()['"](\.[^'"]+)['"]/g,
  );
  for (const [, link, module] of links) {
    const { pathname } = new URL(link ?? module ?? '', `${host.url}${path}`);
    await partsOf(host, pathname, found);
  }
  return found;
}

test('all their files come from the server without a token', () =>
  withHost({}, async (host) => {
    const parts = await Promise.all(shown.map((path) => partsOf(host, path)));
    assert.equal(
      parts.flatMap((each) => [...each]).sort(),
      pages.map(({ path }) => path).sort(),
      'what the pages load is what is served',
    );
    for (const [path, type, least] of [
      ['/', 'text/html; charset=utf-8', 300],
      ['/console/console.js', 'text/javascript; charset=utf-8', 50_000],
      ['/console/console.css', 'text/css; charset=utf-8', 1000],
      ['/docs', 'text/html; charset=utf-8', 500],
      ['/docs/page.js', 'text/javascript; charset=utf-8', 500],
      ['/docs/page.css', 'text/css; charset=utf-8', 100],
      ['/docs/swagger-ui.js', 'text/javascript; charset=utf-8', 1_000_000],
      ['/docs/swagger-ui.css', 'text/css; charset=utf-8', 100_000],
      ['/console/frame.css', 'text/css; charset=utf-8', 500],
      ['/console/cytoscape.js', 'text/javascript; charset=utf-8', 300_000],
    ] as const) {
      const response = await get(host, path);
      assert.is(response.status, 200, path);
      assert.is(response.headers.get('content-type'), type);
      assert.is(response.headers.get('x-content-type-options'), 'nosniff');
      assert.ok((await response.arrayBuffer()).byteLength >= least, path);
    }
  }));

test('load and send nothing to other hosts', () =>
  withHost({}, async (host) => {
    for (const path of shown) {
      const response = await get(host, path);
      const policy = response.headers.get('content-security-policy') ?? '';
      const directives = new Map(
        policy.split('; ').map((directive) => {
          const [name = '', ...sources] = directive.split(' ');
          return [name, sources];
        }),
      );
      assert.equal(directives.get('default-src'), ["'none'"]);
      assert.equal(directives.get('script-src'), ["'self'"]);
      assert.equal(directives.get('style-src'), ["'self'"]);
      assert.equal(directives.get('connect-src'), ["'self'"]);
      const sources = [...directives.values()].flat();
      const known = ["'none'", "'self'", 'data:'];
      assert.equal(
        sources.filter((source) => !known.includes(source)),
        [],
      );
    }
    for (const place of ['../pages/', '../../console/src/']) {
      const folder = new URL(place, import.meta.url);
      const names = (await readdir(folder, { recursive: true })).filter((name) =>
        /\.\w+$/.test(name),
      );
      assert.ok(names.length >= 3);
      for (const name of names) {
        const text = await readFile(new URL(name, folder), 'utf8');
        assert.not.match(text, /\/\/[a-z0-9-]+\.[a-z]/i, name);
        assert.not.match(text, /innerHTML|insertAdjacentHTML|document\.write|\beval\(/i, name);
      }
    }
  }));

test('the console is small', () =>
  withHost({}, async (host) => {
    const files = await Promise.all(
      consoleFiles.map(async (path) => (await get(host, path)).arrayBuffer()),
    );
    const sizes = files.map((bytes) => gzipSync(new Uint8Array(bytes)).byteLength);
    const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
    assert.ok(size < maxConsoleBytes, `${size} bytes`);
  }));

test('their API calls need the token, and they are not part of the API', () =>
  withHost({}, async (host) => {
    for (const path of ['/openapi.json', '/graphs', '/settings']) {
      assert.is((await get(host, path)).status, 401, path);
    }
    const document = JSON.stringify(openApiDocument(routes, '1'));
    assert.not.match(document, '/docs');
  }));

test.run();
