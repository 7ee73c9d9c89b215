// test-timeout: 300
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { SpawnedCommand, serverProgram } from '@trove/test-support/spawned-command.js';
import { startFakeGraph, type FakeGraph } from './fake.js';

/* Users log in with the real command, and the fake of the service decides like Microsoft. */

const test = suite('trove-server connector login onedrive');

/** A home folder, and a file with an app that has no secret. */
class LoginHome implements AsyncDisposable {
  readonly fake: FakeGraph;
  readonly #folder: string;

  private constructor(fake: FakeGraph, folder: string) {
    this.fake = fake;
    this.#folder = folder;
  }

  static async open(): Promise<LoginHome> {
    const home = new LoginHome(
      await startFakeGraph(),
      await mkdtemp(join(tmpdir(), 'trove-graph-login-')),
    );
    const { origin } = home.fake.service;
    const addresses = `base_url = "${origin}"\nlogin_url = "${origin}"\n`;
    await writeFile(home.file, `client_id = "client-1"\n${addresses}`);
    return home;
  }

  get file(): string {
    return join(this.#folder, 'source.toml');
  }

  run(...args: readonly string[]): SpawnedCommand {
    const env = { HOME: this.#folder, TROVE_HOME: join(this.#folder, 'home') };
    return new SpawnedCommand(process.execPath, [serverProgram, 'connector', ...args], env);
  }

  /** An app without a secret is no name for a login, so the source is named. */
  login(source: string, ...args: readonly string[]): SpawnedCommand {
    return this.run(
      'login',
      new URL(source).protocol.slice(0, -1),
      source,
      '--from',
      this.file,
      ...args,
    );
  }

  /** Returns the stored refresh tokens. */
  async stored(): Promise<readonly string[]> {
    const folder = join(this.#folder, 'home', 'credentials');
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    const files = names.filter((name) => name.endsWith('.json'));
    return Promise.all(
      files.map(async (name) => {
        const { refresh_token: token }: Record<string, { readonly token?: string }> = JSON.parse(
          await readFile(join(folder, name), 'utf8'),
        );
        return token?.token ?? '';
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fake[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

test('logs in with a code in any browser, and adds a source with the login', async () => {
  await using home = await LoginHome.open();
  const { world } = home.fake;
  const login = home.login('onedrive://ann');
  assert.is(await login.sees(/Enter the code (\S+) and/), 'FRRTVN5HP');
  for (const code of world.deviceCodes.keys()) world.deviceCodes.set(code, 'allowed');
  assert.is(await login.ended, 0, login.printed);
  assert.match(login.printed, /Connected to the drive of Ann/);
  const [token = ''] = await home.stored();
  assert.ok(world.refreshTokens.has(token));
  assert.not.match(login.printed, /0\.refresh|access-/);
  const added = home.run('add', 'onedrive://ann', '--from', home.file, '-y');
  assert.is(await added.ended, 0, added.printed);
});

test('logs in with a page that returns to this machine', async () => {
  await using home = await LoginHome.open();
  const login = home.login('outlook://ann', '--flow', 'browser');
  const url = new URL(await login.pageUrl());
  assert.is(url.pathname, '/common/oauth2/v2.0/authorize');
  assert.is(url.searchParams.get('scope'), 'Mail.Read offline_access');
  assert.match(await (await fetch(url)).text(), /return to the terminal/i);
  assert.is(await login.ended, 0, login.printed);
  assert.is((await home.stored()).length, 1);
});

test('stores nothing when the user declines', async () => {
  await using home = await LoginHome.open();
  const { deviceCodes } = home.fake.world;
  const login = home.login('sharepoint://contoso.sharepoint.com/sites/Team');
  await login.sees(/Enter the code (\S+) and/);
  for (const code of deviceCodes.keys()) deviceCodes.set(code, 'denied');
  assert.is(await login.ended, 1);
  assert.match(login.printed, /authorization_declined|declined/);
  assert.equal(await home.stored(), []);
});

test.run();
