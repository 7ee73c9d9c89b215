import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, envelope } from './support/server.js';

const test = suite('metrics');
let world: World;
let server: Running;
test.before(async () => {
  world = await makeWorld();
  server = await startReal(world);
});
test.after(async () => {
  await server.close();
  await removeWorld(world);
});

/** Every series with its value. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const { text } = await read();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

async function read(): Promise<{ text: string; type: string | null }> {
  const response = await fetch(`${server.host.url}/metrics`, {
    headers: { authorization: 'Bearer a-token-for-tests' },
  });
  assert.is(response.status, 200);
  return { text: await response.text(), type: response.headers.get('content-type') };
}

const requests = (method: string, route: string, status: number | string): string =>
  `trove_http_requests_total{method="${method}",route="${route}",status="${status}"}`;

test('count requests, stored data and jobs', async () => {
  const body = { target: world.docs, process: true };
  assert.is((await call(server.host, '/v1/add', { method: 'POST', body })).status, 200);
  for (const mode of ['hybrid', 'semantic', 'keyword']) {
    await call(server.host, `/v1/search?q=fox&mode=${mode}`);
  }
  await call(server.host, '/v1/search');
  const seen = await scrape();
  assert.is(seen.get(requests('POST', '/v1/add', 200)), 1);
  assert.is(seen.get(requests('GET', '/v1/search', 200)), 3);
  assert.is(seen.get(requests('GET', '/v1/search', 422)), 1);
  const duration = 'trove_http_request_duration_seconds';
  const labels = 'method="GET",route="/v1/search"';
  assert.is(seen.get(`${duration}_count{${labels}}`), 4);
  assert.is(seen.get(`${duration}_bucket{le="+Inf",${labels}}`), 4);
  assert.is(seen.get('trove_storage_up'), 1);
  assert.is(seen.get('trove_sources{type="file"}'), 1);
  const source = `{source="file://local${world.docs}"}`;
  assert.is(seen.get(`trove_source_failing${source}`), 0);
  const synced = seen.get(`trove_source_last_success_timestamp_seconds${source}`) ?? 0;
  assert.ok(Math.abs(synced - Date.now() / 1000) < 600, String(synced));
  assert.is(seen.get('trove_objects{type="file"}'), 5);
  assert.ok((seen.get('trove_chunks{type="file"}') ?? 0) > 3);
  assert.is(
    (seen.get('trove_jobs{status="succeeded"}') ?? 0) +
      (seen.get('trove_jobs{status="partial"}') ?? 0),
    1,
  );
  assert.is(seen.get('trove_running_job_objects{outcome="jobs"}'), 0);
  // The two search modes that embed the query.
  assert.is(seen.get('trove_model_calls_total{model="embedding"}'), 2);
  assert.is(seen.get('trove_embedded_texts_total'), 2);
  for (const queue of ['search', 'grep', 'upload', 'manifest']) {
    assert.is(seen.get(`trove_queue_running{queue="${queue}"}`), 0);
    assert.is(seen.get(`trove_queue_refused_total{queue="${queue}"}`), 0);
  }
  assert.ok((seen.get('process_resident_memory_bytes') ?? 0) > 50e6);
  assert.ok((seen.get('nodejs_eventloop_lag_p99_seconds') ?? -1) >= 0);
});

test('need the token and have the format of Prometheus', async () => {
  const refused = await call(server.host, '/metrics', { headers: { authorization: 'Bearer no' } });
  assert.is(envelope(refused).code, 'unauthorized');
  const { text, type } = await read();
  assert.is(type, 'text/plain; version=0.0.4; charset=utf-8');
  const sample = /^[a-z0-9_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [-+0-9.e]+$/;
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
  assert.equal(
    lines.filter((line) => !sample.test(line)),
    [],
  );
  assert.ok(lines.length > 50);
});

test('have a bounded number of series and no request data', async () => {
  const before = await scrape();
  const odd = Array.from({ length: 200 }, (_, n) => n);
  await Promise.all(
    odd.flatMap((n) => [
      call(server.host, `/nowhere/${n}`),
      call(server.host, `/v1/jobs/private-${n}`),
      call(server.host, `/v1/ls?path=${encodeURIComponent(join(world.root, `private-${n}`))}`),
      call(server.host, '/healthz', { method: `ODD${n}` }),
    ]),
  );
  const after = await scrape();
  assert.is(after.get(requests('other', 'other', 404)), 200);
  assert.is(after.get(requests('GET', '/v1/jobs/{job_id}', 404)), 200);
  // One status of three new routes, and the buckets of two of them.
  assert.ok(after.size - before.size <= 60, String(after.size - before.size));
  assert.not.match([...after.keys()].join('\n'), /private|ODD/);
});

test('are refused when the engine is closed', async () => {
  await server.engine.close();
  const answer = await call(server.host, '/metrics');
  assert.is(envelope(answer).code, 'engine_closed');
});

test.run();
