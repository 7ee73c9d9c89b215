import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { root } from '../../lib/workspaces.mjs';
import { startServer } from '../../lib/server.mjs';
import { connect } from '../client.mjs';
import { add, jobEnded } from '../measure/indexing.mjs';
import { settledResidentBytes, watchMemory } from '../measure/memory.mjs';

export const pagingKinds = ['link', 'next', 'cursor', 'page', 'offset', 'keyset', 'function'];
export const sourceForms = ['records', 'objects'];

const packageName = 'trove-bench-services';

/**
 * Syncs a source of the page server three times: first, without a change, and after one change. Returns `{ bytes,
 * requests, twice, changed }`: the peak memory of the server above that of the idle one, the requests of each sync, the
 * number of addresses that a sync requested twice, and the number of chunks that the last sync wrote.
 */
export async function measurePaging(pages, { home, kind, form, count }) {
  const { url } = await pages.ask({ fill: count });
  await pages.ask({ count: true });
  return withSource(home, `${kind}-${form}`, { url }, async ({ firstSync, sync }) => {
    const { bytes, job } = await firstSync();
    const expected = form === 'records' ? 1 : count;
    if (job.added !== expected) throw new Error(`${job.added} objects, not ${expected}`);
    const counts = [await pages.ask({ count: true })];
    await sync();
    counts.push(await pages.ask({ count: true }));
    await pages.ask({ change: Math.ceil(count / 2) });
    const last = await sync();
    counts.push(await pages.ask({ count: true }));
    return {
      bytes,
      requests: counts.map(({ total }) => total),
      changed: last.chunks,
      twice: counts.reduce((sum, { twice }) => sum + twice, 0),
    };
  });
}

/** Returns the peak memory, above that of the idle server, of a sync of the same records without requests. */
export async function measureFloor({ home, count }) {
  return withSource(home, 'floor-records', { count }, async ({ firstSync }) => {
    const { bytes } = await firstSync();
    return bytes;
  });
}

async function withSource(home, scheme, config, use) {
  writeHome(home, scheme);
  const server = await startServer(home);
  const client = connect(server.endpoint, readFileSync(join(home, 'server.token'), 'utf8').trim());
  const sync = async () => jobEnded(client, await add(client, `${scheme}://bench`, { config }));
  const firstSync = async () => {
    const idle = await settledResidentBytes(server.pid);
    const memory = watchMemory(server.pid);
    const job = await sync();
    return { bytes: memory.stop().peak - idle, job };
  };
  try {
    return await use({ firstSync, sync });
  } finally {
    client.close();
    await server.stop();
  }
}

/** Writes a home whose server has the connector of the page server. */
function writeHome(home, scheme) {
  const folder = join(home, 'node_modules', packageName);
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, 'node_modules/@trove'));
  symlinkSync(
    join(root, 'packages/connector-kit'),
    join(home, 'node_modules/@trove/connector-kit'),
  );
  const about = { name: packageName, version: '1.0.0', type: 'module', exports: './index.mjs' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  for (const [from, to] of [
    ['paged-connector.mjs', 'index.mjs'],
    ['items.mjs', 'items.mjs'],
  ])
    copyFileSync(fileURLToPath(new URL(from, import.meta.url)), join(folder, to));
  writeFileSync(join(home, 'server.toml'), `[plugins]\n${scheme} = "${packageName}"\n`);
}
