import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { temporaryHome } from './support/home.js';
import { place } from './support/place.js';
import { runTrove } from './support/trove.js';

const test = suite('the link to the console');

test('signs in once', async () => {
  await using here = await place();
  const { ok, trove, home, endpoint } = here;
  const started = await trove('serve', 'start');
  assert.match(started.stderr, `Open in a browser: ${endpoint}/ (sign in: trove console)`);
  const link = new URL((await ok('console')).trim());
  assert.is(`${link.origin}${link.pathname}`, `${endpoint}/`);
  const code = new URLSearchParams(link.hash.slice(1)).get('sign-in') ?? '';
  const exchange = () =>
    fetch(`${endpoint}/console/sign-in`, {
      method: 'POST',
      headers: { authorization: `Bearer ${code}` },
    });
  const token = await (await exchange()).text();
  const status = await runTrove(['status'], {
    home,
    env: { TROVE_ENDPOINT: endpoint, TROVE_API_TOKEN: token },
  });
  assert.is(status.code, 0, status.stderr);
  assert.is((await exchange()).status, 401);

  const { token: guest } = JSON.parse(await ok('token', 'create', '--name', 'guest', '--json'));
  const plain = await runTrove(['console'], {
    home,
    env: { TROVE_ENDPOINT: endpoint, TROVE_API_TOKEN: guest },
  });
  assert.is(plain.stdout, `${endpoint}/\n`);
});

test('is printed only if the server answers', async () => {
  await using home = await temporaryHome();
  const { code, stdout } = await runTrove(['console', '--endpoint', 'http://127.0.0.1:9'], {
    home: home.path,
  });
  assert.equal([code, stdout], [1, '']);
});

test.run();
