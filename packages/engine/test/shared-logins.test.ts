import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConnector, type ConnectorContext } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    token: { type: 'string', writeOnly: true, description: 'Refresh token.' },
    page: { type: 'integer', description: 'A page.' },
  },
} as const;

type Context = ConnectorContext<{ readonly token?: string; readonly page?: number }>;

/** A service that replaces the token with each use of it. */
class RotatingService {
  current = 'token-0';
  count = 0;

  renew(token: string): string {
    if (token !== this.current) throw new Error(`the service refused ${token}`);
    this.current = `token-${++this.count}`;
    return this.current;
  }
}

/** Renews the token in each listing. */
function rotatingConnector(service: RotatingService, seen: string[] = []) {
  return defineConnector({
    keys: ['notes'],
    configSchema,
    create: ({ credentials }: Context) => ({
      async *list() {
        seen.push(credentials.login);
        await credentials.refresh('token', async (token) => service.renew(token));
        yield { path: 'a.md', size: null, modifiedAt: null, fingerprint: null };
      },
      read: async () => ({ bytes: Buffer.from('# A note') }),
      check: async () => ({ ok: true, detail: 'It is there.' }),
    }),
  });
}

const config = { token: 'token-0' };
const [one, two] = ['notes://one', 'notes://two'];

const test = suite<{ folder: string; world: World; service: RotatingService }>('shared logins');

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'trove-shared-logins-'));
  context.world = new World();
  context.service = new RotatingService();
});
test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));

async function statusOf(syncing: ReturnType<typeof sync>): Promise<unknown> {
  const { status, detail } = await syncing;
  return detail ?? status;
}

for (const isStored of [true, false]) {
  test(`sources with one login share a token ${isStored ? 'in a file' : 'in memory'}`, async ({
    folder,
    world,
    service,
  }) => {
    const seen: string[] = [];
    const plugins = [rotatingConnector(service, seen)];
    await using engine = await world.open({
      plugins,
      ...(isStored ? { credentialFolder: folder } : {}),
    });
    const ended = [
      await statusOf(sync(engine, { target: one, config })),
      await statusOf(sync(engine, { target: two, config: { ...config, page: 2 } })),
      await statusOf(sync(engine, { target: one })),
    ];
    assert.equal(ended, ['succeeded', 'succeeded', 'succeeded']);
    assert.is(service.count, 3);
    assert.is(new Set(seen).size, 1);
  });
}

test('a token survives removing and adding its source again', async ({
  folder,
  world,
  service,
}) => {
  const plugins = [rotatingConnector(service)];
  await using engine = await world.open({ plugins, credentialFolder: folder });
  await sync(engine, { target: one, config });
  const file = await tokenFile(folder);
  await makeOld(file);
  await engine.remove({ target: one });
  await engine.compact();
  assert.is(await statusOf(sync(engine, { target: one, config })), 'succeeded');
});

test('a token is deleted a day after its login has no source', async ({
  folder,
  world,
  service,
}) => {
  const plugins = [rotatingConnector(service)];
  await using engine = await world.open({ plugins, credentialFolder: folder });
  for (const target of [one, two]) await sync(engine, { target, config });
  const file = await tokenFile(folder);
  assert.ok(file !== null);
  await engine.remove({ target: one });
  await makeOld(file);
  await engine.compact();
  assert.ok(Date.now() - (await stat(file)).mtimeMs < 60_000, 'kept for the other source');
  await engine.remove({ target: two });
  await engine.compact();
  assert.is(await tokenFile(folder), file);
  await makeOld(file);
  await engine.compact();
  assert.is(await tokenFile(folder), null);
});

test('no token is deleted while the login of a source is unknown', async ({
  folder,
  world,
  service,
}) => {
  const engine = await world.open({
    plugins: [rotatingConnector(service)],
    credentialFolder: folder,
  });
  await sync(engine, { target: one, config });
  await engine.close();
  const file = await tokenFile(folder);
  await makeOld(file);
  await using other = await world.open({ credentialFolder: folder });
  await other.compact();
  assert.is(await tokenFile(folder), file);
});

/** Returns the path of the only file with tokens, or null. */
async function tokenFile(folder: string): Promise<string | null> {
  const files = await readdir(folder, { withFileTypes: true, recursive: true });
  const [file] = files.filter((entry) => entry.isFile());
  return file === undefined ? null : join(file.parentPath, file.name);
}

/** Sets the times of a file to two days ago. */
async function makeOld(file: string | null): Promise<void> {
  assert.ok(file !== null);
  const then = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  await utimes(file, then, then);
}

test.run();
