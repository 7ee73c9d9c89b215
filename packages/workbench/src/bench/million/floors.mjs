import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { askOnce, startChild } from '../child.mjs';
import { dumpRows, writeBare } from '../measure/indexing.mjs';
import { modes, partsOf } from '../measure/search.mjs';
import { totalOf, spaceOf } from '../measure/space.mjs';

/** FTS5 takes seconds for some queries of a large index. */
const ftsQueries = 100;

/**
 * Measures the same work without Trove: LanceDB with the rows of the server's index, and SQLite FTS5 with the files.
 * Returns `{ lance, fts }`, each with milliseconds, bytes and search times.
 */
export async function measureFloors(place, { home, tree, queries }, say) {
  const fts = await measureFts(place, tree, queries, say);
  say('LanceDB with the same rows');
  const rows = await dumpRows(join(home, 'index.lance'), join(place, 'rows'));
  const database = join(place, 'bare');
  const { ms, maxRssBytes } = await writeBare(rows, database);
  rmSync(rows.folder, { recursive: true });
  const lance = {
    ms,
    maxRssBytes,
    bytes: totalOf(spaceOf(database)),
    times: await searchBare(database, queries),
  };
  rmSync(database, { recursive: true });
  return { lance, fts };
}

/** Returns the milliseconds of each search by mode, after searches that warm up. */
async function searchBare(database, queries) {
  const child = startChild('floors/search-rows.mjs');
  const times = {};
  try {
    const [warmUp, ...parts] = partsOf(queries, modes.length + 1);
    for (const [at, mode] of modes.entries()) {
      await child.ask({ database, mode, queries: warmUp });
      times[mode] = (await child.ask({ database, mode, queries: parts[at] })).times;
    }
  } finally {
    await child.stop();
  }
  return times;
}

async function measureFts(place, tree, queries, say) {
  say('SQLite FTS5 with the files');
  const folder = join(place, 'fts');
  const answer = await askOnce('floors/fts5.mjs', {
    folder,
    tree,
    texts: queries.slice(0, ftsQueries).map(({ text }) => text),
  });
  const bytes = readdirSync(folder).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  );
  rmSync(folder, { recursive: true });
  return { ...answer, bytes };
}
