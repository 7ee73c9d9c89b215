import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { add, jobEnded } from '../measure/indexing.mjs';
import { timed } from '../measure/time.mjs';
import { median } from '../statistics.mjs';
import { Deployment } from './deployment.mjs';
import { objectSpace } from './objects.mjs';
import { changeHundredth, sourceOf, tableBytes, writeRows } from './rows.mjs';
import { measureBusy, measureCold, measureWarm } from './searches.mjs';
import { environmentOf, indexFolder, startShared, startSource } from './services.mjs';
import { watchUsage } from './usage.mjs';

const replicaCount = 3;
const workerCount = 3;
const syncRuns = 3;
/** Searches run while a source of this share of the rows is added. */
const otherShare = 10;
const minOtherRows = 10_000;
/** The index finishes its work after a job within this time. */
const settledAfterMs = 60_000;

/** Measures one size with new services. Leaves no process unless it throws. */
export async function measureSize(folder, rows, say) {
  say(`${rows} rows: writing them`);
  const source = await startSource();
  const { bytes, queries } = await writeRows(source.url, 'rows', rows);
  const otherRows = Math.max(minOtherRows, Math.floor(rows / otherShare));
  await writeRows(source.url, 'others', otherRows);
  say('indexing with one worker');
  const one = await indexed(source, join(folder, 'one'), 1);
  await one.stop();
  say('indexing with three workers');
  const three = await indexed(source, join(folder, 'three'), workerCount);
  const measured = await measureIndexed(three, { rows, queries }, say);
  await three.stop();
  await source.stop();
  return {
    rows,
    bytes,
    otherRows,
    chunks: three.chunks,
    index: { one: one.usage, three: three.usage },
    ...measured,
  };
}

async function measureIndexed({ deployment, services }, { rows, queries }, say) {
  say('waiting for a minute');
  await sleep(settledAfterMs);
  const space = {
    tables: await tableBytes(services.metadata.url),
    objects: await objectSpace(services.store, `${indexFolder}/`),
  };
  say('searching');
  const watched = watchUsage(deployment, services);
  const { times: warm, traffic } = await measureWarm(
    deployment.replicas[1],
    services.store,
    queries,
  );
  const usage = watched.stop();
  const cold = await measureCold(deployment, queries);
  say('syncing');
  const { target } = sourceOf('rows');
  const nothing = await measureNothing(deployment, target);
  await changeHundredth(services.source.url, 'rows', rows);
  const changed = await synced(deployment, services, { target });
  say('searching while indexing');
  const busy = await measureBusy(deployment, sourceOf('others'), queries);
  return { space, search: { warm, traffic, cold, busy, usage }, sync: { nothing, changed } };
}

/** Starts a deployment with new services and indexes the rows. */
async function indexed(source, folder, workers) {
  const services = { source, ...(await startShared()) };
  const deployment = new Deployment(folder, environmentOf(services, join(folder, 'uploads')));
  await deployment.start(replicaCount, workers);
  const { chunks, ...usage } = await synced(deployment, services, sourceOf('rows'));
  const stop = async () => {
    await deployment.stop();
    await Promise.all([services.metadata.stop(), services.store.stop()]);
  };
  return { deployment, services, chunks, usage, stop };
}

/** Adds or syncs a source. Returns the usage until the job ends, with `chunks`. */
async function synced(deployment, services, { target, config }) {
  const watched = watchUsage(deployment, services);
  const { chunks } = await jobEnded(
    deployment.client,
    await add(deployment.client, target, { config }),
  );
  return { ...watched.stop(), chunks };
}

async function measureNothing({ client }, target) {
  const times = [];
  for (let run = 0; run < syncRuns; run++)
    times.push(await timed(async () => jobEnded(client, await add(client, target))));
  return { ms: median(times) };
}
