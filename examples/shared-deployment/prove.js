import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createTrove } from 'trove';

const endedStatuses = new Set(['succeeded', 'partial', 'failed', 'cancelled']);
const concurrentSearches = 4;

/**
 * Indexes a folder under a load of searches, and kills all workers and a server meanwhile. Then compares the
 * hits of each server with those of an undisturbed Trove. Throws if something is lost, duplicated or failed.
 */
export async function prove(deployment, folder, questions) {
  const expected = await undisturbed(deployment, folder, questions);
  const { job, answered, failures } = await disturbedUnderLoad(deployment, folder, questions);
  const lost = differenceOfJobs(job, expected.job);
  if (lost !== null) throw new Error(lost);
  if (failures.length > 0) throw new Error(`Searches failed: ${failures.slice(0, 3).join('; ')}`);
  for (const server of deployment.servers) {
    await server.waitForOutput(/listening on/);
    const found = await stateOf(deployment.client(server.url), folder, questions);
    const difference = firstDifference(found, expected);
    if (difference !== null) throw new Error(`${server.url}: ${difference}`);
  }
  const { object_count: objects, chunk_count: chunks } = expected.counts;
  return { objects, chunks, answered };
}

/** Returns the expected state: SQLite, a local index, one process, no disturbance. */
async function undisturbed({ folder: parent, engines }, folder, questions) {
  const home = await mkdtemp(join(parent, 'undisturbed-'));
  const opening = createTrove({ home });
  engines.add(opening);
  const trove = await opening;
  try {
    const { job_id } = await trove.add({ target: folder, process: true });
    const calls = {
      connectors: { inspectConnector: (request) => trove.inspect(request) },
      retrieval: { search: (request) => trove.search(request) },
    };
    return { ...(await stateOf(calls, folder, questions)), job: await trove.job(job_id) };
  } finally {
    await trove.close();
    engines.delete(opening);
    await rm(home, { recursive: true, force: true });
  }
}

/** Returns the visible state of a source: its counts, and all hits of the questions. */
async function stateOf(client, folder, questions) {
  const { object_count, chunk_count } = await client.connectors.inspectConnector({
    target: folder,
  });
  const hits = {};
  for (const q of questions) {
    const { results } = await client.retrieval.search({
      q,
      path: folder,
      mode: 'keyword',
      top_k: 1000,
    });
    hits[q] = results
      .map(({ source, locator, content }) => JSON.stringify([source, locator, content]))
      .sort();
  }
  return { counts: { object_count, chunk_count }, hits };
}

/** Returns the failures of a job that the expected job does not have. Unreadable files fail in both. */
function differenceOfJobs(job, expected) {
  if (job.status === expected.status && job.failed_objects === expected.failed_objects) return null;
  const known = new Set(expected.failures.map(({ path }) => path));
  const failed = job.failures.filter(({ path }) => !known.has(path));
  const reasons = failed.map(({ path, error }) => `${path}: ${error}`).join('; ');
  return `The job ended as ${job.status}, undisturbed as ${expected.status}. ${job.detail ?? ''}${reasons}`;
}

function firstDifference(found, expected) {
  const counts = [found, expected].map((state) => JSON.stringify(state.counts));
  if (counts[0] !== counts[1]) return `it has ${counts[0]}, not ${counts[1]}`;
  for (const [question, hits] of Object.entries(expected.hits)) {
    const other = found.hits[question];
    const missing = hits.find((hit) => !other.includes(hit));
    if (missing !== undefined) return `"${question}" does not find ${missing}`;
    if (other.length !== hits.length)
      return `"${question}" finds ${other.length} hits, not ${hits.length}`;
  }
  return null;
}

/** Searches while the job runs, and not after a failure. */
async function disturbedUnderLoad(deployment, folder, questions) {
  const load = startLoad(deployment, questions);
  try {
    const job = await disturbed(deployment, folder);
    return { job, ...(await load.stop()) };
  } finally {
    await load.stop();
  }
}

/** Indexes a folder. Kills all workers and one server in the middle of the job. */
async function disturbed(deployment, folder) {
  const client = deployment.client();
  const { job_id } = await client.ingest.addSource({ body: { target: folder } });
  let killed = false;
  for (;;) {
    const job = await client.ingest.getJob({ job_id });
    if (endedStatuses.has(job.status) && killed) return job;
    if (endedStatuses.has(job.status))
      throw new Error('The job ended too soon: index a larger folder');
    if (!killed && (job.succeeded_objects ?? 0) > 0) {
      for (const program of [...deployment.workers, deployment.servers[0]]) program.kill();
      killed = true;
    }
    await delay(10);
  }
}

/** Searches through the balancer with several clients until it is stopped. */
function startLoad(deployment, questions) {
  let stopped = false;
  let answered = 0;
  const failures = [];
  const client = deployment.client();
  const searching = Array.from({ length: concurrentSearches }, async (_, at) => {
    for (let n = at; !stopped; n++) {
      try {
        await client.retrieval.search({ q: questions[n % questions.length] });
        answered++;
      } catch (error) {
        failures.push(String(error));
      }
    }
  });
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(searching);
      return { answered, failures };
    },
  };
}
