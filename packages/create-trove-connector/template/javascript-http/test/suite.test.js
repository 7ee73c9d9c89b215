import assert from 'node:assert/strict';
import test from 'node:test';
import { startHttpFake } from '@trove/connector-kit/http/fake';
import { connectorContext, selectConnectorCases } from '@trove/testkit';

import plugin from '../index.js';

/** @typedef {import('@trove/connector-kit/http/fake').HttpFake} HttpFake */

const token = 'a-s3cret-token';
const tickets = [1, 2, 3].map((id) => ({
  id,
  subject: `Ticket ${id} & more`,
  description: `The printer on floor ${id} is out of order.`,
  status: 'open',
  updated_at: `2026-01-0${id}T12:00:00.000Z`,
  html_url: `https://desk.example.com/tickets/${id}`,
  requester: { name: 'Ada' },
}));
const comments = [1, 2, 3].map((id) => ({
  id,
  body: `Comment ${id}`,
  created_at: `2026-01-01T0${id}:00:00.000Z`,
  author: { name: 'Ben' },
}));

/** Starts a service that answers as the connector describes it, with two items per page. */
async function withFake(/** @type {(fake: HttpFake) => Promise<void>} */ use) {
  const fake = await startHttpFake(plugin, {
    config: (url) => ({ url, token }),
    check: { name: 'Robot' },
  });
  try {
    for (const ticket of tickets) fake.put('tickets', ticket);
    for (const comment of comments) fake.put('comments', comment, { tickets: 1 });
    await use(fake);
  } finally {
    await fake.stop();
  }
}

/** The records that the connector must make of the items, in the order in which it reads them. */
const [first, ...others] = tickets.map((ticket) => ({
  key: { stream: 'tickets', id: ticket.id },
  fields: { status: 'open' },
  title: ticket.subject,
  text: ticket.description,
  at: Date.parse(ticket.updated_at),
  author: 'Ada',
  url: ticket.html_url,
  thread: String(ticket.id),
}));
const replies = comments.map((comment) => ({
  key: { stream: 'comments', id: comment.id },
  fields: {},
  text: comment.body,
  at: Date.parse(comment.created_at),
  author: 'Ben',
  thread: '1',
}));

function subjectOf(/** @type {HttpFake} */ fake) {
  const [second, third] = others;
  const records = [first, second, ...replies, third].filter((record) => record !== undefined);
  return fake.subject({
    objects: [{ path: 'tickets', records }],
    absent: 'nothing',
    refused: [{}, { url: fake.origin, token: 80 }, { url: fake.origin, token, tokn: 'misspelt' }],
  });
}

await withFake(async (fake) => {
  const { cases, skipped } = await selectConnectorCases(subjectOf(fake));
  for (const each of cases) test(each.title, () => withFake((own) => each.run(subjectOf(own))));
  for (const { id, reason } of skipped) test(id, { skip: reason }, () => {});
});

test('continues after a failure of the service, and reports a rate limit', () =>
  withFake(async (fake) => {
    const context = connectorContext({ target: fake.target, config: { url: fake.origin, token } });
    const connector = await plugin.create(context);
    const read = async () => {
      let count = 0;
      for await (const item of connector.records('tickets', { signal: context.signal }))
        if ('key' in item) count++;
      return count;
    };
    fake.fail('tickets', 'repeated-page');
    assert.equal(await read(), tickets.length + comments.length);
    fake.limit({ requests: 1, perMs: 60_000 });
    await assert.rejects(read, { code: 'rate_limited', retryable: true });
    await connector.close();
  }));
