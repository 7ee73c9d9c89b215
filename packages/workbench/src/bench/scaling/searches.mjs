import { add, isOver } from '../measure/indexing.mjs';
import { modes, partsOf, timed } from '../measure/search.mjs';
import { storeTraffic } from './services.mjs';

const restarts = 3;
/** Enough searches for a p95. The job of a large source lasts much longer. */
const maxBusyMs = 120_000;

/**
 * Returns the milliseconds of each search at one replica by mode, and its requests to the object store with the bytes of
 * their answers: `{ times, traffic }`.
 */
export async function measureWarm({ client }, store, queries) {
  const [warmUp, ...parts] = partsOf(queries, modes.length + 1);
  const times = {};
  const traffic = {};
  for (const [at, mode] of modes.entries()) {
    for (const text of warmUp) await timed(client, mode, { text });
    const before = storeTraffic(store);
    times[mode] = await inTurn(parts[at], (text) => timed(client, mode, { text }));
    const after = storeTraffic(store);
    const { length } = parts[at];
    traffic[mode] = {
      requests: (after.requests - before.requests) / length,
      bytes: (after.readBytes - before.readBytes) / length,
    };
  }
  return { times, traffic };
}

/** Returns the milliseconds of the first search after a restart of the replica by mode. */
export async function measureCold(deployment, queries) {
  const times = Object.fromEntries(modes.map((mode) => [mode, []]));
  for (let run = 0; run < restarts; run++) {
    for (const [at, mode] of modes.entries()) {
      await deployment.restartReplica();
      const text = queries[run * modes.length + at];
      times[mode].push(await timed(deployment.client, mode, { text }));
    }
  }
  return times;
}

/**
 * Returns the milliseconds of searches at every replica by mode while workers index another source, until the job ends or
 * `maxBusyMs` have passed.
 */
export async function measureBusy({ client, replicas }, { target, config }, queries) {
  const times = Object.fromEntries(modes.map((mode) => [mode, []]));
  const id = await add(client, target, { config });
  const until = performance.now() + maxBusyMs;
  for (let turn = 0; ; turn++) {
    const replica = replicas[turn % replicas.length];
    for (const mode of modes)
      times[mode].push(await timed(replica.client, mode, { text: queries[turn % queries.length] }));
    if (performance.now() > until || isOver(await client.get(`/v1/jobs/${id}`))) return times;
  }
}

async function inTurn(items, work) {
  const results = [];
  for (const item of items) results.push(await work(item));
  return results;
}
