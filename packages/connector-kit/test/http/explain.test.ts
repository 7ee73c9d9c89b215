import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { explainRequests } from '../../src/http/index.js';
import { deskBase } from './open-desk.js';

const test = suite('explanation of the requests of a web service');

test('shows the requests of the first and of later syncs without making them', () => {
  const requests = explainRequests(
    {
      ...deskBase,
      streams: {
        tickets: {
          get: '/repos/{target.path}/tickets',
          query: { state: 'all' },
          in: 'tickets',
          key: 'id',
          incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '1h' },
        },
        comments: { for: 'tickets', get: '/tickets/{id}/comments', in: 'tickets', key: 'id' },
      },
    },
    { config: { url: 'https://desk.example/', token: 'secret' }, target: 'desk://acme/main' },
    new Date('2026-01-02T00:00:00Z'),
  );
  const tickets = 'https://desk.example/repos/main/tickets?state=all';
  assert.equal(
    requests.map(({ name, sync, url }) => [name, sync, url]),
    [
      ['check', 'every', 'https://desk.example/me'],
      ['tickets', 'first', tickets],
      ['tickets', 'later', `${tickets}&since=2026-01-01T23:00:00.000Z`],
      ['comments', 'every', 'https://desk.example/tickets/{id}/comments'],
    ],
  );
  assert.not(JSON.stringify(requests).includes('secret'));
});

test.run();
