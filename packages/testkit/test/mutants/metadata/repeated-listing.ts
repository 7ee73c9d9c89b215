import type { MetadataDatabase } from '@trove/test-support/metadata-database.js';

import { jobNumber, keepingRows, type Mutants } from './support.js';

/** Faults in recognising unchanged parts of full listings. */
export const repeatedListingMutants: Mutants = {
  // Treats all parts as listed when it recognises one.
  'missing-beside-known-parts': (good, database) => ({
    listings: {
      finish: async (id, worker, end) => {
        await database.query(
          `insert into trove_listed_parts (job, ids, left_out, digest)
            select m.job, p.ids, p.left_out, p.digest from trove_known_parts p
            join (select distinct job from trove_listed_parts where job = ${jobNumber}
              and digest in (select digest from trove_known_parts)) m`,
          id,
        );
        return good.listings.finish(id, worker, end);
      },
    },
  }),
  'changed-since-listing': (good, database) => ({
    tasks: {
      complete: (worker, results) =>
        keepingRows(database, 'trove_known_parts', () => good.tasks.complete(worker, results)),
    },
  }),
  // Treats all lone surrogates as equal.
  'odd-paths-distinct': (good) => {
    const known = new Set<string>();
    return {
      listings: {
        compare: async (id, worker, revisions) => {
          const part = String([...revisions]).toWellFormed();
          if (known.has(part)) return { changed: [], added: [] };
          const found = await good.listings.compare(id, worker, revisions);
          if (found?.changed.length === 0 && found.added.length === 0) known.add(part);
          return found;
        },
      },
    };
  },
  'invalidated-since-listing': (good, database) => ({
    objects: {
      invalidate: (connectorId, ids) =>
        keepingDigests(database, () =>
          keepingRows(database, 'trove_known_parts', () =>
            good.objects.invalidate(connectorId, ids),
          ),
        ),
    },
  }),
};

/** Runs a change, and restores the digests of what jobs have listed. */
async function keepingDigests<T>(database: MetadataDatabase, change: () => Promise<T>): Promise<T> {
  const rows = await database.query('select rowid as n, digest from trove_listed_parts');
  const changed = await change();
  for (const { n, digest } of rows)
    await database.query('update trove_listed_parts set digest = ? where rowid = ?', digest, n);
  return changed;
}
