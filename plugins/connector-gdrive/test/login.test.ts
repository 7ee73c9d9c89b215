// test-timeout: 900
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingProgram, testUnless } from '@trove/test-support/skips.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { readScope } from './fake/consent.js';
import { LoginScene } from './login-command.js';

/* Users log in with the real command, and the fake of the service decides like Google. */

const test = suite('trove-server connector login gdrive');
const noTerminal = missingProgram('script');

test('logs in with a browser, stores the token privately and shares it', async () => {
  await using scene = await LoginScene.open();
  const login = scene.login();
  const url = new URL(await login.pageUrl());
  const wanted = { access_type: 'offline', scope: readScope, code_challenge_method: 'S256' };
  for (const [name, value] of Object.entries(wanted))
    assert.is(url.searchParams.get(name), value, name);
  const page = await fetch(url);
  assert.match(await page.text(), /return to the terminal/i);
  assert.is(await login.ended, 0, login.printed);
  assert.match(login.printed, /Connected as ann@example\.com/);
  const [stored] = await scene.stored();
  assert.is(stored?.mode, 0o600);
  assert.ok(scene.fake.world.refreshTokens.has(stored?.token ?? ''));
  assert.not.match(login.printed, /1\/\/0g|4\/0A|secret-1/);

  scene.fake.world.rotates = true;
  for (const target of ['gdrive://ann', 'gdrive://team']) {
    const added = scene.run(['add', target, '--from', scene.file, '-y']);
    assert.is(await added.ended, 0, added.printed);
  }
  const tokens = await scene.stored();
  assert.is(tokens.length, 1, 'two sources have one token');
  assert.match(tokens[0]?.token ?? '', /^rotated-/);
  assert.is(tokens[0]?.mode, 0o600);

  scene.fake.world.refreshTokens.clear();
  scene.fake.world.accessTokens.clear();
  const revoked = scene.run(['add', 'gdrive://ann', '--from', scene.file, '-y', '--update']);
  assert.is.not(await revoked.ended, 0);
  assert.match(revoked.printed, /expired or revoked/);
  assert.match(revoked.printed, /`trove-server connector login gdrive gdrive:\/\/ann`/);

  const several = scene.run(['login', 'gdrive']);
  assert.is(await several.ended, 2);
  assert.match(several.printed, /Several sources.*\n.*\n.*gdrive:\/\/ann\n.*gdrive:\/\/team/);
  const again = scene.run(['login', 'gdrive', 'gdrive://ann']);
  await fetch(await again.pageUrl());
  assert.is(await again.ended, 0, again.printed);
  assert.match(again.printed, /Log in for gdrive:\/\/ann, gdrive:\/\/team/);
  assert.match(again.printed, /Connected as/);
});

test('ignores answers with another state, and refuses a second use', async () => {
  await using scene = await LoginScene.open();
  const login = scene.login();
  const url = new URL(await login.pageUrl());
  const redirect = url.searchParams.get('redirect_uri') ?? '';
  for (const query of ['', '?code=1&state=wrong', '?error=access_denied&state=wrong']) {
    const forged = await fetch(`${redirect}/${query}`);
    assert.is(forged.status, 404);
  }
  await fetch(url);
  assert.is(await login.ended, 0, login.printed);
});

test('reports a refusal, a missing scope and a wrong secret, and stores nothing', async () => {
  await using scene = await LoginScene.open();
  const { consent } = scene.fake.world;
  consent.decision = 'deny';
  const denied = scene.login();
  await fetch(await denied.pageUrl());
  assert.is(await denied.ended, 1);
  assert.match(denied.printed, /refused the login: access_denied\n.*allow the access/);

  consent.decision = 'allow';
  consent.declined.add(readScope);
  const partial = scene.login();
  await fetch(await partial.pageUrl());
  assert.is(await partial.ended, 1);
  assert.match(partial.printed, /lacks the scope https:.*drive\.readonly.*\n.*everything/);

  const wrong = scene.run(['login', 'gdrive', '--from', scene.file], {
    DRIVE_CLIENT_SECRET: 'wrong',
  });
  await fetch(await wrong.pageUrl());
  assert.is(await wrong.ended, 1);
  assert.match(wrong.printed, /invalid_client/);
  assert.match(wrong.printed, /Check the client id and its secret[^]*Desktop app/);
  assert.equal(await scene.stored(), []);
});

test('explains the client type when nobody returns from the browser', async () => {
  await using scene = await LoginScene.open();
  scene.fake.world.consent.clientType = 'web';
  const login = scene.login('--timeout', '1');
  const page = await fetch(await login.pageUrl());
  assert.match(await page.text(), /redirect_uri_mismatch/);
  assert.is(await login.ended, 1);
  assert.match(login.printed, /time limit/);
  assert.match(login.printed, /"Desktop app"/);
});

test('uses the device flow where the service allows it, at the pace of the service', async () => {
  await using scene = await LoginScene.open();
  const { consent, accessTokens } = scene.fake.world;
  consent.clientType = 'tv';
  consent.deviceScopes.add(readScope);
  consent.slowDowns = 1;
  const login = scene.login();
  const userCode = await login.sees(/Enter the code (\S+) and/);
  assert.match(login.printed, /\/device\n/);
  consent.decide(userCode, 'allow');
  assert.is(await login.ended, 0, login.printed);
  assert.ok(accessTokens.size > 0);
  assert.is((await scene.stored()).length, 1);
  const polls = scene.fake.service.exchanges.filter(({ status }) => status === 403);
  assert.is(polls.length, 1, 'one slow_down');
});

test('reports a refused and an expired device code', async () => {
  await using scene = await LoginScene.open();
  const { consent } = scene.fake.world;
  consent.clientType = 'tv';
  consent.deviceScopes.add(readScope);
  const denied = scene.login();
  consent.decide(await denied.sees(/Enter the code (\S+) and/), 'deny');
  assert.is(await denied.ended, 1);
  assert.match(denied.printed, /access_denied/);

  consent.codeSeconds = 0.2;
  const late = scene.login();
  assert.is(await late.ended, 1);
  assert.match(late.printed, /code expired before somebody entered it/i);
  assert.equal(await scene.stored(), []);
});

test('says that Google allows no reading scope in the device flow', async () => {
  await using scene = await LoginScene.open();
  scene.fake.world.consent.clientType = 'tv';
  const login = scene.login('--flow', 'device');
  assert.is(await login.ended, 1);
  assert.match(login.printed, /Invalid device flow scope/);
  assert.match(login.printed, /"Desktop app"/);
});

test('stores nothing after Ctrl-C', async () => {
  await using scene = await LoginScene.open();
  const login = scene.login();
  await login.pageUrl();
  login.process.kill('SIGINT');
  assert.is(await login.ended, 1);
  assert.match(login.printed, /Cancelled\. Nothing was stored\./);
  assert.equal(await scene.stored(), []);
});

test('logs in although the clock of the machine is changed meanwhile', async () => {
  await using scene = await LoginScene.open();
  const { consent } = scene.fake.world;
  consent.clientType = 'tv';
  consent.deviceScopes.add(readScope);
  const jump =
    'const now = Date.now; let calls = 0; Date.now = () => now() + (++calls % 2) * 864e5;';
  const login = scene.run(['login', 'gdrive', '--from', scene.file], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(jump)}`,
  });
  consent.decide(await login.sees(/Enter the code (\S+) and/), 'allow');
  assert.is(await login.ended, 0, login.printed);
});

testUnless(noTerminal, test)(
  'accepts the pasted address of a browser on another machine',
  async () => {
    await using scene = await LoginScene.open();
    const login = scene.runOnTerminal(['login', 'gdrive', '--from', scene.file]);
    const url = await login.pageUrl();
    const answer = await fetch(url, { redirect: 'manual' });
    login.process.stdin?.write('https://elsewhere.example/?code=1&state=2\n');
    await waitUntil(() => login.printed.includes('not the address'), 'a refusal');
    login.process.stdin?.write(`${answer.headers.get('location') ?? ''}\n`);
    assert.is(await login.ended, 0, login.printed);
    assert.is((await scene.stored()).length, 1);
  },
);

test('needs an OAuth client, and a connector with a login', async () => {
  await using scene = await LoginScene.open();
  const none = scene.run(['login', 'gdrive']);
  assert.is(await none.ended, 2);
  assert.match(none.printed, /set `client_id` and `client_secret`/);
  const other = scene.run(['login', 'slack', '--set', 'token=x']);
  assert.is(await other.ended, 1);
  assert.match(other.printed, /slack has no login on a terminal/);
});

test.run();
