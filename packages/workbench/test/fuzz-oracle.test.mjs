import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen } from '@trove/test-support/listen.js';
import { checkFound, checkRepaired, checkReported } from '../src/fuzz/embedder/laws.mjs';
import { Findings } from '../src/fuzz/findings.mjs';
import { laws } from '../src/fuzz/oracle/laws.mjs';
import { readContract } from '../src/fuzz/requests/contract.mjs';
import { makeAsk } from '../src/fuzz/requests/ask.mjs';
import { makeExchange } from '../src/fuzz/requests/exchange.mjs';
import { makeRounds } from '../src/fuzz/requests/rounds.mjs';
import { makeSender } from '../src/fuzz/requests/send.mjs';
import { readResponses } from '../src/fuzz/sockets/responses.mjs';
import { checkJob } from '../src/fuzz/tree/laws.mjs';
import { root } from '../src/lib/workspaces.mjs';

/* Finds a server with one fault, and finds nothing at a correct one. */

const canary = 'canary0123456789';
const contract = readContract(
  JSON.parse(readFileSync(join(root, 'packages/operations/openapi.json'), 'utf8')),
);
const oracle = suite('oracle of the fuzzer');

const folder = mkdtempSync(join(tmpdir(), 'trove-fuzz-test-'));
oracle.after(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns the kinds of faults that the fuzzer finds in the responses of `answer(request, right)`. `right` is a correct
 * response.
 */
async function foundIn(operationId, answer) {
  const server = createServer({ maxHeaderSize: 192 * 1024 }, (request, response) => {
    const right = rightAnswer(request);
    const {
      status = right.status,
      headers = right.headers,
      body = right.body,
    } = {
      ...right,
      ...answer?.(request, right),
    };
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' ? undefined : body);
    request.resume();
  });
  // Closes the connection for too long headers, which the sender accepts as a response.
  server.on('clientError', (_, socket) => socket.destroy());
  const { origin, stop } = await listen(server);
  const sender = makeSender({ endpoint: origin });
  try {
    return await findingsOf(operationId, sender);
  } finally {
    sender.close();
    await stop();
  }
}

async function findingsOf(operationId, sender) {
  const operations = contract.operations.filter(({ id }) => id === operationId);
  const findings = new Findings({ folder, say: () => {} });
  const exchange = makeExchange({
    contract: { ...contract, operations },
    corpus: { word: ['fox'], dir: ['/a'], file: ['/a/b.md'], scratch: ['/a'] },
    token: 'right',
    canaries: [canary],
    sender,
    tally: () => {},
  });
  const settle = () => Promise.resolve();
  await makeRounds({
    contract: { ...contract, operations },
    exchange,
    findings,
    settle,
  }).round(1, 12);
  for (const { again } of findings.all) assert.match(again, /--seed \d+ --path [\d:]+/);
  return findings.all.map(({ key }) => key.split(' ').slice(0, 2).join(' '));
}

/** Returns a correct response of a server with one open route: `healthz` as in the document. */
function rightAnswer({ method, url, headers }) {
  const { pathname, search } = new URL(url, 'http://x');
  if (Object.values(headers).join('').length > 100_000) return refusal(431, 'payload_too_large');
  if (pathname !== '/healthz') return refusal(404, 'not_found');
  if (!['GET', 'HEAD'].includes(method)) {
    return refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
  }
  if (search !== '') return refusal(422, 'validation_error');
  return json(200, { status: 'ok' });
}

function refusal(status, code, headers = {}) {
  return json(status, { code, detail: 'No.', suggestions: ['Do not.'] }, headers);
}

function json(status, value, headers = {}) {
  const own = { 'content-type': 'application/json', 'x-request-id': 'r', ...headers };
  return { status, headers: own, body: JSON.stringify(value) };
}

oracle('finds no fault in a correct server', async () => {
  assert.equal(await foundIn('healthz'), []);
});

const faults = {
  'a failure': ['500 healthz', () => refusal(500, 'internal_error')],
  'a body that violates its schema': [
    'schema healthz',
    (_, { status }) => (status === 200 ? json(200, { status: 'fine' }) : {}),
  ],
  'the content of a file outside the sources': [
    'leak healthz',
    () => ({ body: `{"status":"${canary}"}` }),
  ],
  'the message of a driver': [
    'internals healthz',
    (_, { status }) =>
      status === 422
        ? json(422, { code: 'validation_error', detail: 'SQLITE_ERROR: near', suggestions: ['x'] })
        : {},
  ],
  'a response without a request id': [
    'id healthz',
    (_, { headers }) => ({ headers: { ...headers, 'x-request-id': [] } }),
  ],
  'an error without an envelope': [
    'envelope healthz',
    (_, { status }) => (status === 422 ? json(422, { error: 'no' }) : {}),
  ],
  'an unknown code': [
    'code healthz',
    (_, { status }) => (status === 422 ? refusal(422, 'nosuch') : {}),
  ],
  'an undocumented status': [
    'status healthz',
    (_, { status }) => (status === 200 ? json(202, {}) : {}),
  ],
  'a rejected valid request': ['valid healthz', () => refusal(422, 'validation_error')],
  'an accepted invalid request': [
    'nearly healthz',
    (_, { status }) => (status === 422 ? json(200, { status: 'ok' }) : {}),
  ],
  'a body that is not JSON': ['json healthz', () => ({ body: '{"status":' })],
  'a missing response': ['no answer', (request) => request.destroy()],
};

for (const [name, [expected, answer]] of Object.entries(faults)) {
  oracle(`finds ${name}`, async () => {
    const found = await foundIn('healthz', answer);
    assert.ok(found.includes(expected), found.join(', '));
  });
}

oracle.run();

const ofLaws = suite('laws of the fuzzer');

const hit = (score, content = 'a fox') => ({
  source: 'file://local/a/b.md',
  content,
  score,
  locator: { lines: [1, 1] },
});

/** Returns the violated laws of a response. `read` is the response of `cat` and `head`. */
async function judged(operation, body, read = { status: 200, body: { content: 'a fox' } }) {
  const query = { limit: '2', top_k: '2', collapse: 'true' };
  try {
    await laws[operation]({ body, query, ask: () => Promise.resolve(read), gone: () => false });
  } catch (error) {
    return error.key;
  }
  return null;
}

ofLaws('accept correct responses', async () => {
  assert.is(await judged('search', { results: [hit(0.5)] }), null);
  assert.is(await judged('grep', { results: [{ ...hit(), via: 'linear' }] }), null);
  assert.is(await judged('ls', { entries: [entry({})] }), null);
});

ofLaws('require ordered, scored, limited and readable hits', async () => {
  const two = [hit(0.4), { ...hit(0.5), source: 'file://local/other' }];
  assert.is(await judged('search', { results: two }), 'law search order');
  assert.is(await judged('search', { results: [hit(1.5)] }), 'law search score');
  assert.is(await judged('search', { results: [hit(1), hit(1)] }), 'law search collapse');
  assert.is(await judged('search', { results: [hit(1), hit(1), hit(1)] }), 'law search top_k');
  assert.is(await judged('search', { results: [hit(1, 'a hen')] }), 'law search content');
  const explained = { ...hit(1), explanation: {} };
  assert.is(await judged('search', { results: [explained] }), 'law search explain');
  const gone = { status: 404, body: { code: 'not_found' } };
  assert.is(await judged('search', { results: [hit(1)] }, gone), 'law search reopens');
});

ofLaws('require that listed entries can be read or have a reason', async () => {
  const gone = { status: 404, body: { code: 'not_found' } };
  assert.is(await judged('ls', { entries: [entry({})] }, gone), 'law ls file');
  assert.is(await judged('ls', { entries: [entry({ type: 'dir' })] }, gone), 'law ls dir');
  assert.is(await judged('ls', { entries: [entry({ reason: 'a link' })] }, gone), null);
});

function entry(facts) {
  return { path: 'file://local/a/b.md', type: 'file', reason: null, indexable: true, ...facts };
}

ofLaws('allow only indexed entries to become forbidden', async () => {
  const forbidden = { status: 403, body: { code: 'path_not_allowed' } };
  const indexed = entry({ search_status: 'indexed' });
  assert.is(await judged('ls', { entries: [indexed] }, forbidden), null);
  assert.is(await judged('ls', { entries: [entry({})] }, forbidden), 'law ls file');
});

ofLaws('reject internal errors as the reason of a failed job or object', () => {
  const job = { error: null, failures: [] };
  const keyOf = (changes) => thrownBy(() => checkJob({ ...job, ...changes }));
  const failure = { path: 'a', code: 'internal_error', error: 'no' };
  assert.is(keyOf({}), null);
  assert.is(keyOf({ error: 'internal_error' }), 'job internal');
  assert.is(keyOf({ failures: [failure] }), 'job internal');
  assert.is(
    keyOf({ failures: [{ ...failure, code: 'x', error: 'TypeError: no' }] }),
    'job internals',
  );
});

ofLaws('reject responses that leak or fail without a reason', async () => {
  const asked = async (text) => {
    const sender = { send: () => Promise.resolve({ text, complete: true, status: 200 }) };
    const ask = makeAsk({ sender, token: 'right', canaries: [canary] });
    return thrownBy(() => ask('/v1/ls', {}));
  };
  assert.is(await asked('{}'), null);
  assert.is(await asked(`{"content":"${canary}"}`), 'leak');
  assert.is(await asked('{"code":"internal_error","detail":"-"}'), 'unprovoked /v1/ls');
});

/** Returns the key of the violation that some work throws, or null. */
function thrownBy(work) {
  const keyOf = (error) => error.key ?? String(error);
  try {
    const result = work();
    if (!(result instanceof Promise)) return null;
    return result.then(() => null, keyOf);
  } catch (error) {
    return keyOf(error);
  }
}

ofLaws.run();

const ofEmbedder = suite('laws of the hostile embedder');

const files = [
  { name: 'a.md', word: 'apple' },
  { name: 'b.md', word: 'pear' },
];
const done = {
  status: 'partial',
  error: null,
  detail: null,
  total_objects: 2,
  failed_objects: 1,
  cancelled_objects: 0,
  added: 1,
  changed: 0,
  removed: 0,
  unchanged: 0,
  left_out: 0,
  chunks_without_vector: 1,
  failures: [{ path: 'b.md', code: 'embedding_incomplete', error: '1 of its 1 chunks' }],
};
const repairedJob = {
  ...done,
  status: 'succeeded',
  added: 2,
  failed_objects: 0,
  chunks_without_vector: 0,
  failures: [],
  left_out_reasons: [],
};

/** Returns a server with two files, of which `vectors` have one. `ls` and `found` override its responses. */
function library({ vectors = ['a.md'], ls = {}, found, query = { status: 200, body: {} } }) {
  return async (path, { q, mode }) => {
    if (path === '/v1/ls') {
      const entries = files.map(({ name }) => {
        const isWhole = vectors.includes(name);
        const search_status = isWhole ? 'indexed' : 'partial';
        return { name, search_status, reason: isWhole ? null : 'no vector', ...ls[name] };
      });
      return { status: 200, body: { entries } };
    }
    if (mode === undefined) return query;
    const all = files.filter(({ name, word }) =>
      mode === 'keyword' ? [word, 'otter'].includes(q) : vectors.includes(name),
    );
    const best = all.toSorted((x, y) => Number(y.word === q) - Number(x.word === q));
    const names = found?.({ q, mode }) ?? best.map(({ name }) => name);
    return { status: 200, body: { results: names.map((name) => ({ source: `file:///${name}` })) } };
  };
}

const told = (server, job = done) =>
  thrownBy(() => checkReported(library(server), { target: '/', files, job, plan: {} }));

ofEmbedder('require counts, status and reasons that match the job', async () => {
  assert.is(await told({}), null);
  assert.is(await told({}, { ...done, total_objects: 3 }), 'embedder counts');
  assert.is(await told({}, { ...done, failures: [] }), 'embedder reason');
  assert.is(await told({}, { ...done, status: 'succeeded' }), 'embedder status');
  assert.is(await told({}, { ...done, error: 'internal_error' }), 'embedder blame');
  const failing = (error) => ({ ...done, failures: [{ code: 'plugin_invalid', error }] });
  assert.is(await told({}, failing('TypeError: no')), 'embedder internals');
  assert.is(await told({}, failing('x'.repeat(5000))), 'embedder reason');
});

ofEmbedder('require that indexed files are found by words and others have a reason', async () => {
  const lost = { 'a.md': { search_status: 'not_indexed', reason: 'no' } };
  assert.is(await told({ ls: lost }), 'embedder keyword');
  assert.is(await told({ found: () => [] }), 'embedder keyword');
  assert.is(await told({ ls: { 'b.md': { reason: null } } }), 'embedder reason');
  const query = { status: 500, body: { code: 'internal_error' } };
  assert.is(await told({ query }), 'embedder query');
});

ofEmbedder('require that files with a vector are found by it, the best one first', async () => {
  const found = (server, job = done) =>
    thrownBy(() => checkFound(library(server), { target: '/', files, job }));
  assert.is(await found({}), null);
  assert.is(await found({ vectors: [] }), 'embedder vectors');
  const swapped = ({ q, mode }) =>
    mode === 'semantic' && q === 'apple' ? ['b.md', 'a.md'] : undefined;
  assert.is(
    await found({ vectors: ['a.md', 'b.md'], found: swapped }, repairedJob),
    'embedder best',
  );
});

ofEmbedder('require that the next sync repairs everything', async () => {
  const repaired = (server, job) =>
    thrownBy(() => checkRepaired(library(server), { target: '/', files, job }));
  const all = { vectors: ['a.md', 'b.md'] };
  assert.is(await repaired(all, repairedJob), null);
  assert.is(await repaired(all, done), 'embedder repair');
  assert.is(await repaired({}, repairedJob), 'embedder repair');
});

ofEmbedder.run();

const responses = suite('responses on a socket');
const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

responses('are split, with and without chunks', () => {
  const chunks = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
  const both = readResponses(Buffer.from(whole + chunks + whole), false);
  assert.is(both.problem, null);
  assert.equal(
    both.responses.map(({ body }) => body),
    ['{}', '{}', '{}'],
  );
});

responses('are reported when one interrupts another', () => {
  const mixed = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n${whole}`;
  assert.match(readResponses(Buffer.from(mixed), false).problem, /no chunk: HTTP/);
  assert.match(readResponses(Buffer.from(`${whole}${'x'.repeat(20)}`), false).problem, /no status/);
});

responses.run();
