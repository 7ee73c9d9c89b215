import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { startServer, startWorker } from '../../lib/server.mjs';
import { askOnce } from '../child.mjs';
import { connect } from '../client.mjs';
import { watchMemory } from './memory.mjs';

const pollMs = 100;
const maxRowsPerFile = 4000;

const running = new Set();

/** Stops every running server. */
export async function stopServers() {
  await Promise.all([...running].map((server) => server.stop()));
}

/**
 * Starts a server on a home. Returns `{ client, endpoint, token, pid, database, readyMs, stop() }`. It runs until it is
 * stopped.
 */
export function serverOf(home) {
  return runningServer(home, {}, () => readFileSync(join(home, 'server.token'), 'utf8').trim());
}

/** Starts an API replica that shares services and a token, and returns the same. */
export function replicaOf(home, environment) {
  return runningServer(home, { command: 'api', environment }, () => environment.TROVE_API_TOKEN);
}

/** Starts a worker: `{ pid, stop() }`. It runs until it is stopped. */
export async function workerOf(home, environment) {
  return untilStopped(await startWorker(home, environment));
}

async function runningServer(home, options, tokenOf) {
  const started = performance.now();
  const server = await startServer(home, options);
  const readyMs = performance.now() - started;
  const { endpoint, pid } = server;
  const token = tokenOf();
  const client = connect(endpoint, token);
  const { stop } = untilStopped({
    stop: async () => {
      client.close();
      await server.stop();
    },
  });
  return { client, endpoint, token, pid, database: join(home, 'index.lance'), readyMs, stop };
}

/** Registers a process for `stopServers`. */
function untilStopped(started) {
  const registered = {
    ...started,
    stop: async () => {
      await started.stop();
      running.delete(registered);
    },
  };
  running.add(registered);
  return registered;
}

/**
 * Starts a server with an empty home and indexes a folder. Returns the server with `{ ms, chunks, memory }`. It runs until
 * it is stopped.
 */
export async function indexCold(folder, home) {
  const server = await serverOf(home);
  const memory = watchMemory(server.pid);
  const started = performance.now();
  const job = await jobEnded(server.client, await add(server.client, folder));
  const ms = performance.now() - started;
  return { ...server, ms, chunks: job.chunks, memory: memory.stop() };
}

/** Queues the indexing of a folder with further request fields and returns the job's id. */
export async function add(client, target, options = {}) {
  return (await client.post('/v1/add', { target, ...options })).job_id;
}

/** Removes a folder from the index. */
export async function remove(client, folder) {
  await client.delete(`/v1/connectors?${new URLSearchParams({ target: folder })}`);
}

/** Returns the job after it has succeeded. Throws if it ended otherwise. */
export async function jobEnded(client, id) {
  for (;;) {
    const job = await client.get(`/v1/jobs/${id}`);
    if (isOver(job)) return job;
    await sleep(pollMs);
  }
}

/** Throws unless the job succeeded. */
export function isOver(job) {
  if (job.status === 'queued' || job.status === 'running') return false;
  if (job.status === 'succeeded') return true;
  const why = JSON.stringify(job.failures?.slice(0, 3) ?? job.error);
  throw new Error(`indexing ended as ${job.status}: ${why}`);
}

/** Saves all rows of an index for `writeBare`. */
export async function dumpRows(database, folder) {
  mkdirSync(folder, { recursive: true });
  const message = { database, folder, rowsPerFile: maxRowsPerFile };
  return { folder, ...(await askOnce('floors/dump-rows.mjs', message)) };
}

/** Writes saved rows into a bare store: `{ ms, maxRssBytes }`. */
export function writeBare({ folder, hasVectorIndex }, database) {
  return askOnce('floors/write-rows.mjs', { folder, hasVectorIndex, database });
}
