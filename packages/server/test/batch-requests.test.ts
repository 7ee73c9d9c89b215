import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, envelope, withHost } from './support/server.js';

const test = suite('requests of batches');

test('a batch with an invalid request is refused as a whole', () =>
  withHost({}, async (host) => {
    for (const [path, body, detail] of [
      ['/v1/search/batch', {}, 'body.queries: is required'],
      ['/v1/search/batch', { queries: [] }, 'body.queries: must NOT have fewer than 1 items'],
      ['/v1/search/batch', { queries: [{}] }, 'body.queries.0.q: is required'],
      ['/v1/search/batch', { queries: [{ q: 'x', topk: 1 }] }, 'body.queries.0.topk: is not known'],
      [
        '/v1/read/batch',
        { reads: Array.from({ length: 21 }, () => ({ path: '/a' })) },
        'body.reads: must NOT have more than 20 items',
      ],
      [
        '/v1/read/batch',
        { reads: [{ path: '/a', context: 201 }] },
        'body.reads.0.context: must be <= 200',
      ],
      [
        '/v1/read/batch',
        { reads: [{ path: '/a' }], max_bytes: 1 },
        'body.max_bytes: must be >= 5000',
      ],
    ] as const) {
      const answer = await call(host, path, { method: 'POST', body });
      assert.is(answer.status, 422, path);
      assert.is(envelope(answer).detail, detail);
    }
  }));

test.run();
