// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeSlack } from './fake.js';

interface Page {
  readonly messages?: readonly { readonly text?: string }[];
  readonly members?: readonly { readonly id?: string }[];
}

interface Client {
  readonly WebClient: new (
    token: string,
    options: { readonly slackApiUrl: string },
  ) => {
    readonly auth: { test(): Promise<{ readonly url?: string }> };
    paginate(method: string, options: Readonly<Record<string, unknown>>): AsyncIterable<Page>;
  };
}

const test = suite("the fake Slack with the vendor's client");

testUnless(missingVendorClient('@slack/web-api'), test)(
  'pages through history, replies and people, and waits when limited',
  async () => {
    const { WebClient } = await importVendorClient<Client>('@slack/web-api');
    await using fake = await startFakeSlack();
    const { world, service, model } = fake;
    const { id: channel } = world.addChannel('general');
    const numbers = Array.from({ length: 250 }, (_, index) => String(index + 1));
    const roots = numbers.map((text) => world.post(channel, text));
    for (const text of ['a', 'b', 'c']) world.post(channel, text, { thread: roots[0] ?? '' });
    const client = new WebClient('xoxb-1', { slackApiUrl: `${service.origin}/api/` });
    const texts = async (
      method: string,
      options: Readonly<Record<string, unknown>>,
    ): Promise<string[]> => {
      const found: string[] = [];
      for await (const { messages = [] } of client.paginate(method, { channel, ...options }))
        found.push(...messages.flatMap(({ text }) => text ?? []));
      return found;
    };
    assert.is((await client.auth.test()).url, 'https://acme.slack.com/');
    service.addFault(rateLimitFault(model, ({ path }) => path.endsWith('.history'), 1000));
    assert.equal(await texts('conversations.history', { limit: 100 }), numbers.toReversed());
    const replies = await texts('conversations.replies', { ts: roots[0], limit: 2 });
    assert.equal(replies, ['1', 'a', 'b', '1', 'c']);
    let people = 0;
    for await (const { members = [] } of client.paginate('users.list', { limit: 1 }))
      people += members.length;
    assert.is(people, 2);
  },
);

test.run();
