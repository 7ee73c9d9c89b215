// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen } from '@trove/test-support/listen.js';
import { judge } from '../src/load/figures.mjs';
import { fire } from '../src/load/fire.mjs';
import { get } from '../src/load/request.mjs';

const connectionCount = 8;

const load = suite('the load test');

load('starts each connection with another request and counts every response', async () => {
  let asked = 0;
  const first = new Map();
  const server = await listen((request, response) => {
    asked++;
    if (!first.has(request.socket)) first.set(request.socket, request.url);
    response.statusCode = request.url === '/missing' ? 404 : 200;
    response.end('{}');
  });
  const requests = Array.from({ length: 2 * connectionCount }, (_, at) => get(`/${at}`, {}));
  requests.push(get('/missing', {}));
  const endpoint = server.origin;
  const options = { connections: connectionCount, seconds: 1 };
  const { times, errors } = await fire({ endpoint, token: 'any' }, { requests }, options);
  await server.stop();
  assert.is(new Set(first.values()).size, connectionCount);
  assert.ok(times.length >= asked - connectionCount, `${times.length} of ${asked}`);
  assert.equal([...errors.keys()], ['status 404']);
});

/** Judges one route in one round with these response times. */
function judged(times, { samples = [[0, 1, 0]], limitMs = 100, rounds = 1 } = {}) {
  const answer = { times, seconds: 1, errors: new Map() };
  const tries = [{ name: 'ls', operation: 'ls', limitMs }];
  const each = Array.from({ length: rounds }, (_, at) => ({
    from: at,
    to: at + 0.5,
    answers: [answer],
  }));
  return judge({ tries, rounds: each, samples, jobs: 1 });
}

load('passes a route if 99 of 100 responses meet its limit', () => {
  const quick = Array.from({ length: 990 }, () => 10);
  const slow = (many) => Array.from({ length: many }, () => 200);
  assert.is(judged([...slow(5), ...quick]).passed, true);
  assert.is(judged([...slow(20), ...quick]).passed, false);
});

load('reports memory that grows from the second round to the last as a leak', () => {
  const samples = (last, builder) => [
    [0, 1, 0],
    [1, 100, 0],
    [2, last + builder, builder],
  ];
  assert.is(judged([1], { samples: samples(105, 0), rounds: 3 }).passed, true);
  assert.is(judged([1], { samples: samples(120, 0), rounds: 3 }).passed, false);
  const { passed, memory } = judged([1], { samples: samples(105, 200), rounds: 3 });
  assert.is(passed, true, 'the index builder does not count');
  assert.equal(memory, { server: [1, 100, 105], builder: 200, building: 1 / 3, most: 305 });
});

load.run();
