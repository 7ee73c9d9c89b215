// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeDiscord, type FakeDiscord } from './fake.js';
import { viewChannel } from './fake/world.js';

interface Rest {
  setToken(token: string): Rest;
  get(path: string, options?: { readonly query: URLSearchParams }): Promise<unknown>;
}

interface RestModule {
  readonly REST: new (options: { readonly version: string; readonly api: string }) => Rest;
}

const test = suite('the fake Discord with the client of bots');
const missing = missingVendorClient('@discordjs/rest');

async function clientOf({ service }: FakeDiscord, token = 'bot-token-1'): Promise<Rest> {
  const { REST } = await importVendorClient<RestModule>('@discordjs/rest');
  return new REST({ version: '10', api: `${service.origin}/api` }).setToken(token);
}

testUnless(missing, test)('pages through messages, and waits when limited', async () => {
  await using fake = await startFakeDiscord();
  const { world, service, model } = fake;
  const { id: channel } = world.addChannel('general');
  const created = Array.from({ length: 250 }, (_, index) => world.send(channel, `${index}`).id);
  const rest = await clientOf(fake);
  service.addFault(rateLimitFault(model, () => true, 100));
  const found: string[] = [];
  for (let before: string | undefined, size = 100; size === 100;) {
    const query = new URLSearchParams({
      limit: '100',
      ...(before === undefined ? {} : { before }),
    });
    const page = await rest.get(`/channels/${channel}/messages`, { query });
    const ids = Object(page).map(({ id }: { readonly id: string }) => id);
    found.push(...ids);
    ({ length: size } = ids);
    before = ids.at(-1);
  }
  assert.equal(found, created.toReversed());
  assert.equal(
    service.exchanges.map(({ status }) => status),
    [429, 200, 200, 200],
  );
});

testUnless(missing, test)('understands the errors of the service', async () => {
  await using fake = await startFakeDiscord();
  const { id } = fake.world.addChannel('board', { deny: viewChannel });
  const failureOf = async (client: Rest, path: string): Promise<string> => {
    try {
      await client.get(path);
      return 'none';
    } catch (error) {
      const { code, status, message } = Object(error);
      return `${status} ${code} ${message}`;
    }
  };
  const client = await clientOf(fake);
  assert.is(await failureOf(client, `/channels/${id}/messages`), '403 50001 Missing Access');
  assert.is(await failureOf(client, '/guilds/1/channels'), '404 10004 Unknown Guild');
  const refused = await clientOf(fake, 'old');
  assert.is(await failureOf(refused, '/users/@me'), '401 0 401: Unauthorized');
});

test.run();
