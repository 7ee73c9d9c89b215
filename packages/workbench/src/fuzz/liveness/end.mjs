import { Violation } from '../findings.mjs';
import { makeApi } from '../requests/api.mjs';
import { serve } from '../world/world.mjs';

const stoppingMs = 10_000;
const syncMs = 120_000;

/**
 * Checks the end of a run: the server stops in time, restarts with the same data, and a sync of everything changes no
 * count.
 */
export async function checkEnd({ world, server, api, findings, again }) {
  const report = (key, message, facts) => findings.add(new Violation(key, message, facts), again);
  await synced(api, world, report);
  const before = await countsOf(api);
  const { code, signal, ms } = await server.stop();
  if (code !== 0) report('end exit', `SIGTERM ended the server with ${signal ?? code}`);
  if (ms > stoppingMs) report('end slow', `the server took ${Math.round(ms)} ms to stop`);
  const next = await serve(world);
  const nextApi = makeApi(next);
  try {
    same('a restart', before, await countsOf(nextApi), report);
    const { results } = await nextApi.get('/v1/search', { q: 'fox', path: world.steady });
    if (results.length === 0) report('end search', 'after a restart, searches find nothing');
    await synced(nextApi, world, report);
    same('a sync without changes', before, await countsOf(nextApi), report);
  } finally {
    nextApi.close();
    await next.stop();
  }
}

async function synced(api, { steady, scratch }, report) {
  for (const target of [steady, ...scratch]) {
    const { job_id: id } = await api.post('/v1/add', { target });
    const job = await api.ended(id, syncMs);
    if (['succeeded', 'partial'].includes(job?.status)) continue;
    report('end sync', `a sync of ${target} ended with ${job?.status ?? 'nothing'}`, { job });
  }
}

/** Returns objects and chunks by source as counted by `status` and `inspect`. */
async function countsOf(api) {
  const { connectors } = await api.get('/v1/status');
  const counts = {};
  for (const { root_uri: uri, object_count: objects, chunk_count: chunks } of connectors) {
    const inspected = await api.get('/v1/connectors/inspect', { target: uri });
    counts[uri] = { objects, chunks, inspected: inspected.objects };
  }
  return counts;
}

function same(after, before, now, report) {
  const [was, is] = [JSON.stringify(before), JSON.stringify(now)];
  if (was !== is) report('end counts', `after ${after} the counts differ`, { before, now });
}
