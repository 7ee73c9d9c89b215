import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { parseAddress, trapReasonOf } from '../src/address.js';
import { addressesOf, pathsOf } from '../src/paths.js';

const test = suite('web connector, addresses and paths');
const root = new URL('https://example.com/docs/');

/** Returns the usual and the exact path of an address below the root. */
function places(link: string, mediaType = 'text/html'): readonly [string, string] {
  const address = parseAddress(link, root);
  if (address === null) throw new Error(`${link} is no address`);
  return pathsOf(address, root, mediaType);
}

test('gives pages readable paths', () => {
  const usual: Record<string, string> = {
    '': 'index.html',
    '/docs': 'index.html',
    'guide/': 'guide/index.html',
    guide: 'guide.html',
    'guide.html': 'guide.html',
    'v1.2': 'v1.2.html',
    'a.php': 'a.php.html',
    'guide?lang=de&to=/x': 'guide?lang=de&to=%2Fx.html',
    'guide/?page=2': 'guide/?page=2.html',
    'Gr%C3%BC%C3%9Fe%20Gott/%F0%9F%98%80': 'Grüße Gott/😀.html',
    'a%2Fb%3Fc%23d%25e': 'a%2Fb%3Fc%23d%25e.html',
    'a//b': 'a/%/b.html',
    'x/../../docs/./y': 'y.html',
    'x/%2e%2E/y': 'y.html',
    'caf%E9': 'caf%E9.html',
    'back\\slash': 'back/slash.html',
  };
  for (const [link, place] of Object.entries(usual)) assert.is(places(link)[0], place, link);
});

test('keeps the name of a document, or adds the ending of its type', () => {
  assert.is(places('files/report.pdf', 'application/pdf')[0], 'files/report.pdf');
  assert.is(places('download?id=5', 'application/pdf')[0], 'download?id=5~.pdf');
  assert.is(places('api/v1', 'application/json')[0], 'api/v1~.json');
  assert.is(places('odd.html', 'text/plain')[0], 'odd.html~.txt');
});

test('converts every path back to its address', () => {
  const names = [
    '',
    'a',
    'a.html',
    'index.html',
    'a~',
    'a~.html',
    'ü b',
    '%',
    'a%2Fb',
    '😀',
    'x'.repeat(900),
  ];
  const queries = ['', '?', '?a=1', '?a=/b?c', '?ü=ß%20', '?x=~'];
  const seen = new Map<string, string>();
  for (const folder of ['', 'a/', 'a//b/', 'ü/%2E%2E/'])
    for (const name of names)
      for (const query of queries) {
        const address = parseAddress(folder + name + query, root);
        if (address === null) continue;
        const [usual, exact] = pathsOf(address, root, 'text/html');
        const back = addressesOf(usual, root).map(({ href }) => parseAddress(href)?.href);
        assert.ok(back.includes(address.href), `${address.href} at ${usual}: ${back.join(' ')}`);
        assert.equal(
          addressesOf(exact, root).map(({ href }) => parseAddress(href)?.href),
          [address.href],
        );
        assert.ok(!seen.has(exact) || seen.get(exact) === address.href, exact);
        seen.set(exact, address.href);
      }
  assert.ok(seen.size > 100);
});

test('converts no path to an address outside the root', () => {
  for (const path of ['../x', '/etc/passwd', 'a/../../x', './x', 'a//b', 'a/', '..', 'a/./b'])
    assert.equal(addressesOf(path, root), [], path);
  for (const path of ['%2e%2e/x.html', 'a#b.html', '\\..\\x.html', '@evil.example/x.html'])
    for (const { href } of addressesOf(path, root)) assert.ok(href.startsWith(root.href), href);
});

test('normalizes equivalent addresses', () => {
  const one = 'https://example.com/a?b=1';
  for (const link of [
    'HTTPS://EXAMPLE.com:443/a?b=1#part',
    '/%61?b=1&utm_source=mail&fbclid=x',
    '/a;jsessionid=0A1B?b=1',
    '/a?PHPSESSID=abc&b=1',
    ' /a?b=1 ',
  ])
    assert.is(parseAddress(link, root)?.href, one, link);
  assert.is(parseAddress('/100%/%e9', root)?.href, 'https://example.com/100%25/%E9');
});

test('rejects addresses that cannot have a page', () => {
  for (const link of [
    'mailto:a@b.c',
    'javascript:alert(1)',
    'ftp://example.com/',
    'https://u:p@example.com/',
    'data:text/html,x',
    `/${'x'.repeat(3000)}`,
    'http://',
  ])
    assert.is(parseAddress(link, root), null, link);
});

test('detects addresses that lead in circles', () => {
  const trap = (path: string): string | null => trapReasonOf(new URL(path, root));
  assert.is(trap('/a/b/a/b/a/c'), null);
  assert.match(String(trap('/a/b/a/b/a/b/a/b')), /again/);
  assert.match(
    String(
      trap(
        `/${'a1/b2/c3/'.replaceAll(/\d/g, '')}${Array.from({ length: 40 }, (_, n) => n).join('/')}`,
      ),
    ),
    /deep/,
  );
});

test.run();
