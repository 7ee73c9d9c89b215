import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConnector, type ConnectorContext, type ListRequest } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen, type TestServer } from '@trove/test-support/listen.js';
import { rejection } from '@trove/test-support/rejection.js';
import { sync, World } from './support/engine.js';

const target = 'notes://mine';

const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: { type: 'string', description: 'Address of the service.' },
    token: { type: 'string', writeOnly: true, description: 'Refresh token.' },
  },
} as const;

/** Issues a new token for each valid one. Old tokens are invalid. */
class TokenService {
  current = 'first-s3cret';
  readonly asked: string[] = [];
  #server: TestServer | undefined;
  url = '';

  async open(): Promise<void> {
    this.#server = await listen((request, response) => {
      const token = request.headers.authorization ?? '';
      this.asked.push(token);
      if (token !== this.current) return void response.writeHead(401).end();
      this.current = `s3cret-number-${this.asked.length}`;
      response.end(this.current);
    });
    this.url = `${this.#server.origin}/`;
  }

  async close(): Promise<void> {
    await this.#server?.stop();
  }
}

type Context = ConnectorContext<{ readonly url?: string; readonly token?: string }>;

/** A connector with a given `list`. */
function connectorThat(list: (context: Context, request: ListRequest) => Promise<void>) {
  return defineConnector({
    keys: ['notes'],
    configSchema,
    create: (context) => ({
      async *list(request) {
        await list(context, request);
        yield { path: 'a.md', size: null, modifiedAt: null, fingerprint: null };
      },
      read: async () => ({ bytes: Buffer.from('# A note') }),
      check: async () => ({ ok: true, detail: 'It is there.' }),
    }),
  });
}

async function renew({ config, credentials, http, error }: Context): Promise<string> {
  return credentials.refresh('token', async (token) => {
    const answer = await http(config.url ?? '', { headers: { authorization: token } });
    if (!answer.ok) throw error('credential_error', `the service refused ${token}`);
    return answer.text();
  });
}

const test = suite<{ folder: string; service: TokenService; world: World }>('credentials');

test.before.each(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'trove-credentials-'));
  context.service = new TokenService();
  context.world = new World();
  await context.service.open();
});
test.after.each(async ({ folder, service }) => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a reference is resolved on each access to the secret', async ({ folder, world }) => {
  const seen: (string | undefined)[] = [];
  const file = join(folder, 'token');
  const plugin = connectorThat(async ({ credentials }) => {
    seen.push(await credentials.get('token'), await credentials.get('url'));
  });
  const engine = await world.open({ plugins: [plugin] });
  writeFileSync(file, 'one-s3cret\n');
  await sync(engine, { target, config: { token: `file:${file}` } });
  writeFileSync(file, 'two-s3cret\n');
  await sync(engine, { target });
  rmSync(file);
  const job = await sync(engine, { target });
  await engine.close();
  assert.equal(seen, ['one-s3cret', undefined, 'two-s3cret', undefined]);
  assert.equal([job.status, job.error], ['failed', 'credential_error']);
});

test('a rotated token is stored, shared on the machine, and never shown', async ({
  folder,
  service,
  world,
}) => {
  const kept = join(folder, 'credentials');
  const tokens: string[] = [];
  const plugin = connectorThat(async (context) => {
    const [one, two] = await Promise.all([renew(context), renew(context)]);
    assert.is(one, two, 'concurrent callers get the same token');
    tokens.push(one);
    if (tokens.length > 2) throw new Error(`the token ${one} is of no use`);
  });
  const options = { plugins: [plugin], credentialFolder: kept };
  const engine = await world.open(options);
  await sync(engine, { target, config: { token: service.current, url: service.url } });
  const other = await world.open(options);
  const jobs = [await sync(other, { target }), await sync(engine, { target })];
  assert.equal(
    jobs.map(({ status }) => status),
    ['succeeded', 'failed'],
  );
  assert.equal(service.asked.slice(1), tokens.slice(0, service.asked.length - 1));

  const [name = ''] = readdirSync(join(kept, readdirSync(kept)[0] ?? ''));
  const file = join(kept, readdirSync(kept)[0] ?? '', name);
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.match(readFileSync(file, 'utf8'), service.current);

  const { connectors } = await engine.status();
  const shown = JSON.stringify([jobs, connectors, await engine.jobs({}), world.log]);
  for (const token of [...tokens, 'first-s3cret']) assert.not.match(shown, token);
  assert.match(shown, /the token \*\*\* is of no use/);

  await Promise.all([engine.close(), other.close()]);
});

test('a new token in the configuration replaces the stored one', async ({
  folder,
  service,
  world,
}) => {
  const plugin = connectorThat(async (context) => void (await renew(context)));
  const engine = await world.open({ plugins: [plugin], credentialFolder: folder });
  const add = async (token: string) =>
    sync(engine, { target, update: true, config: { token, url: service.url } });
  await add(service.current);
  const refused = await add('of-old-s3cret');
  assert.equal([refused.status, refused.error], ['failed', 'credential_error']);
  assert.match(refused.detail ?? '', /the service refused \*\*\*/);
  assert.is((await add(service.current)).status, 'succeeded');
  await engine.close();
});

test('state is stored with the job, like the cursor', async ({ world }) => {
  const seen: unknown[] = [];
  const plans: { set?: unknown; fails?: boolean }[] = [
    { set: { count: 1 } },
    {},
    { set: { count: 2 }, fails: true },
    { set: { count: 3 } },
    { set: 'x'.repeat(2_000_000) },
  ];
  const plugin = connectorThat(async ({ state, error }) => {
    const plan = plans.shift() ?? {};
    seen.push(await state.get());
    if (plan.set !== undefined) state.set(plan.set);
    if (plan.fails === true) throw error('validation_error', 'not now');
  });
  const jobs: string[] = [];
  // Two jobs of one engine, then a new engine without memory of earlier ones.
  for (let pair = 0; pair < 3; pair++) {
    const engine = await world.open({ plugins: [plugin] });
    for (let each = 0; each < 2; each++) jobs.push((await sync(engine, { target })).status);
    await engine.close();
  }
  assert.equal(jobs, ['succeeded', 'succeeded', 'failed', 'succeeded', 'failed', 'succeeded']);
  const [first, third] = [{ count: 1 }, { count: 3 }];
  assert.equal(seen, [undefined, first, first, first, third, third]);
});

test('a failed login has its own error', async ({ world, service }) => {
  const plugin = connectorThat(async (context) => void (await renew(context)));
  const engine = await world.open({ plugins: [plugin] });
  const job = await sync(engine, { target, config: { url: service.url } });
  assert.equal([job.error, job.detail], ['credential_error', 'config.token: is not set']);
  const config = { token: 'env:TROVE_TEST_NO_SUCH_VARIABLE' };
  const refused = await rejection(() => engine.add({ target: 'notes://other', config }));
  assert.is(refused.code, 'credential_error');
  await engine.close();
});

test.run();
