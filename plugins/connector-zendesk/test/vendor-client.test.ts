// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeZendesk } from './fake.js';

interface Item {
  readonly id: number;
}

interface NodeZendesk {
  createClient(options: {
    readonly endpointUri: string;
    readonly username: string;
    readonly token: string;
  }): {
    readonly users: {
      me(): Promise<{ readonly result: { readonly name?: string } }>;
      list(): Promise<readonly Item[]>;
      showMany(ids: readonly number[]): Promise<{ readonly result: readonly Item[] }>;
    };
    readonly tickets: {
      list(): Promise<readonly Item[]>;
      getComments(ticket: number): Promise<readonly Item[]>;
    };
  };
}

const test = suite('the fake Zendesk with a common client');

testUnless(missingVendorClient('node-zendesk'), test)(
  'pages through tickets, comments and users by token',
  async () => {
    const client = await importVendorClient<{ readonly default: NodeZendesk }>('node-zendesk');
    await using fake = await startFakeZendesk();
    const { world, service } = fake;
    const expected = Array.from(
      { length: 250 },
      (_, at) => world.create({ subject: `Case ${at}`, description: 'It happened.' }).id,
    );
    for (let number = 1; number <= 120; number++) world.comment(7, `Answer ${number}`);
    const { users, tickets } = client.default.createClient({
      endpointUri: `${service.origin}/api/v2`,
      username: 'ann@acme.example',
      token: 'token-1',
    });
    assert.is((await users.me()).result.name, 'Ann Archer');
    assert.equal(
      (await tickets.list()).map(({ id }) => id),
      expected,
    );
    assert.is((await tickets.getComments(7)).length, 121);
    assert.equal(
      (await users.list()).map(({ id }) => id),
      [world.ann, world.bob],
    );
    assert.equal(
      (await users.showMany([world.bob])).result.map(({ id }) => id),
      [world.bob],
    );
  },
);

test.run();
