import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen } from '@trove/test-support/listen.js';
import { withFetchTimeouts } from '@trove/test-support/fetch-timeouts.js';
import { TroveApiError, TroveClient } from '../src/index.js';
import { fetchWithoutTimeout } from '../src/node/index.js';
import { json, startServer } from './support/server.js';

const test = suite('fetch without a timeout');
test('waits longer than Node’s own fetch', () =>
  withFetchTimeouts(async () => {
    const waiting: ServerResponse[] = [];
    await using server = await startServer((response) => void waiting.push(response));
    const { baseUrl } = server;
    const call = { body: { sources: ['/notes'] } };
    const patient = new TroveClient({ baseUrl, fetch: fetchWithoutTimeout }).graph.importSources(
      call,
    );
    const own = new TroveClient({ baseUrl }).graph.importSources(call);
    const [ended] = await Promise.allSettled([own]);
    assert.is(ended.status, 'rejected');
    assert.match(String(ended.status === 'rejected' && ended.reason), 'connection_failed');
    for (const response of waiting) json(response, 200, { success: true });
    assert.equal(await patient, { success: true });
  }));

test('sends and returns the same as fetch', async () => {
  await using server = await startServer((response) => json(response, 409, { detail: 'busy' }));
  const { baseUrl } = server;
  const clients = [
    new TroveClient({ baseUrl }),
    new TroveClient({ baseUrl, fetch: fetchWithoutTimeout }),
  ];
  for (const { graph } of clients) {
    const files = [new Blob(['ä text'])];
    const error: unknown = await graph
      .uploadDocuments({ body: { files } })
      .catch((e: unknown) => e);
    assert.ok(error instanceof TroveApiError && error.status === 409 && error.detail === 'busy');
    await graph.listGraphs().catch(() => undefined);
  }
  const [form, list, patientForm, patientList] = server.received;
  assert.is(patientForm?.body.replace(/-{4,}\S+/g, ''), form?.body.replace(/-{4,}\S+/g, ''));
  assert.match(String(patientForm?.headers['content-type']), /^multipart\/form-data; boundary=/);
  assert.equal([patientList?.method, patientList?.url], [list?.method, list?.url]);
});

test('reports an unreachable server and ends on abort', async () => {
  const closed = await listen(() => undefined);
  await closed.stop();
  const nobody = new TroveClient({ baseUrl: closed.origin, fetch: fetchWithoutTimeout });
  const failed: unknown = await nobody.graph.listGraphs().catch((error: unknown) => error);
  assert.ok(failed instanceof TroveApiError && failed.code === 'connection_failed');

  const controller = new AbortController();
  await using server = await startServer(() => controller.abort(new Error('enough')));
  const client = new TroveClient({ baseUrl: server.baseUrl, fetch: fetchWithoutTimeout });
  const { signal } = controller;
  const ended: unknown = await client.graph.listGraphs({ signal }).catch((error: unknown) => error);
  assert.is(ended, signal.reason);
});

test('handles answers without content and incomplete answers', async () => {
  await using server = await startServer((response, { method }) => {
    if (method === 'GET') response.writeHead(204).end();
    else response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
  });
  assert.is((await fetchWithoutTimeout(server.baseUrl)).status, 204);
  const client = new TroveClient({ baseUrl: server.baseUrl, fetch: fetchWithoutTimeout });
  const broken: unknown = await client.graph
    .importSources({ body: { sources: ['/x'] } })
    .catch((error: unknown) => error);
  assert.ok(broken instanceof TroveApiError && broken.code === 'connection_failed');
});

test.run();
