import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unlistedRoutes } from '../src/routes/unlisted.js';
import { token, withHost } from './support/server.js';
import { signInCode } from './support/sign-in-code.js';

const test = suite('links that sign in to the console');

async function exchange(url: string, code: string): Promise<Response> {
  return fetch(`${url}/console/sign-in`, {
    method: 'POST',
    headers: { authorization: `Bearer ${code}` },
  });
}

test('give the token of the server once', () =>
  withHost({}, async ({ url }) => {
    const code = signInCode(token);
    const first = await exchange(url, code);
    assert.equal([first.status, await first.text()], [200, token]);
    assert.is(first.headers.get('cache-control'), 'no-store');
    const second = await exchange(url, code);
    assert.is(second.status, 401);
    assert.match(await second.text(), 'trove console');
    assert.is((await exchange(url, signInCode(token))).status, 200, 'another link');
  }));

test('are refused when they are expired, too long valid, or from another token', () =>
  withHost({}, async ({ url }) => {
    const changed = signInCode(token).replace(
      /\.\d+\./,
      (until) => `.${Number(until.slice(1, -1)) + 1}.`,
    );
    const codes = [
      signInCode(token, -1),
      signInCode(token, 700),
      signInCode('another token'),
      changed,
      token,
      'signin',
      '',
    ];
    for (const code of codes) assert.is((await exchange(url, code)).status, 401, code);
    const response = await fetch(`${url}/v1/status`, {
      headers: { authorization: `Bearer ${signInCode(token)}` },
    });
    assert.is(response.status, 401, 'a code is not a token');
  }));

test('are refused when they are older than the server, which may have redeemed them before', () =>
  withHost({}, async ({ url }) => {
    const response = await exchange(url, signInCode(token, 595));
    assert.is(response.status, 401);
    assert.match(await response.text(), 'trove console');
  }));

test('do not exist on a server without a token', () => {
  const paths = unlistedRoutes({ base: '', auth: { mode: 'open' } }).map(({ path }) => path);
  assert.not(paths.includes('/console/sign-in'));
});

test.run();
