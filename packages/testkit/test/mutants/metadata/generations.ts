import type { EditionSpec, JobStatus } from '@trove/core/store';

import type { Mutants } from './support.js';

const first: EditionSpec = { embedding: 'lexical/1', dimension: 8 };
/** A subselect of the catalogue of the edition in use; binds its embedding. */
const catalogue = `(select catalogue from trove_editions where embedding = ? and state = 'used')`;

export const editionMutants: Mutants = {
  // What a later edition is asked for is answered from the first.
  'editions-apart': (_good, database) => ({
    objects: {
      list: async (...asked) => (await database.open('default', first)).objects.list(...asked),
    },
  }),
  'editions-known': (good) => ({
    editions: {
      others: async () => (await good.editions.others()).map((each) => ({ ...each, dimension: 8 })),
    },
  }),
  // In no edition but its own.
  'edition-gets-sources': (good, database, edition = first) => ({
    sources: {
      register: async (connector) => {
        const registered = await good.sources.register(connector);
        await database.query(
          `delete from trove_connectors where id = ? and namespace <> ${catalogue}`,
          connector.id,
          edition.embedding,
        );
        return registered;
      },
    },
  }),
  'edition-of-a-source': (good, database) => ({
    sources: {
      get: async (id) => {
        const known = await good.sources.get(id);
        const other = await (await database.open('default', first)).sources.get(id);
        return known && { ...known, state: known.state ?? other?.state };
      },
    },
  }),
  'complete-stays': (good, database) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        if (outcome.isComplete === false)
          await database.query('update trove_connectors set is_complete = 0');
        return good.jobs.finish(id, worker, outcome);
      },
    },
  }),
  'edition-config': (good, database, edition = first) => ({
    jobs: {
      create: async (job) => {
        const others = await database.query(
          `select seq, state from trove_connectors where namespace <> ${catalogue}`,
          edition.embedding,
        );
        const created = await good.jobs.create(job);
        for (const { seq, state } of others)
          await database.query('update trove_connectors set state = ? where seq = ?', state, seq);
        return created;
      },
    },
  }),
  'edition-jobs': (_good, database, edition = first) => ({
    jobs: {
      counts: async (connectorId) => {
        const rows = await database.query(
          `select status, count(*) as jobs from trove_jobs
            where namespace = ${catalogue} and connector_id = coalesce(?, connector_id)
            group by status`,
          edition.embedding,
          connectorId ?? null,
        );
        return Object.fromEntries(
          rows.map((row) => [row['status'] as JobStatus, Number(row['jobs'])]),
        );
      },
    },
  }),
  'edition-cancels': (good, database) => ({
    jobs: {
      cancel: async (id) => {
        const [row] = await database.query(
          `select e.embedding, e.dimension from trove_jobs j join trove_editions e
            on e.catalogue = j.namespace where j.id = ?`,
          id,
        );
        if (row === undefined) return good.jobs.cancel(id);
        const spec = { embedding: String(row['embedding']), dimension: Number(row['dimension']) };
        return (await database.open('default', spec)).jobs.cancel(id);
      },
    },
  }),
  'edition-removal': (good, database, edition = first) => ({
    sources: {
      beginRemoval: async (id) => {
        const begun = await good.sources.beginRemoval(id);
        await database.query(
          `update trove_connectors set status = 'active' where id = ? and namespace <> ${catalogue}`,
          id,
          edition.embedding,
        );
        return begun;
      },
    },
  }),
  'edition-reader': (good) => ({
    editions: {
      reader: async (number) => ({
        ...(await good.editions.reader(number)),
        sources: good.sources,
      }),
    },
  }),
  'edition-dropped': (good, database) => ({
    editions: {
      drop: async (number, unusedMs) => {
        const isDropped = await good.editions.drop(number, unusedMs);
        if (isDropped) await database.query(`delete from trove_jobs where id = 'j1'`);
        return isDropped;
      },
    },
  }),
  'edition-dropped-drops-none': (good, database, edition = first) => ({
    editions: {
      drop: async (number, unusedMs) => {
        const dropped = await database.query(
          `update trove_editions set state = 'used' where embedding = ? and state = 'dropped'
            returning number`,
          edition.embedding,
        );
        try {
          return await good.editions.drop(number, unusedMs);
        } finally {
          for (const row of dropped)
            await database.query(
              `update trove_editions set state = 'dropped' where number = ?`,
              row['number'],
            );
        }
      },
    },
  }),
  'edition-begun-again': (_good, database) => ({
    editions: {
      forget: async (number) => {
        await database.query(
          `update trove_editions set state = 'forgotten' where number = ?`,
          number,
        );
      },
    },
  }),
  'edition-own-kept': (good, database) => ({
    editions: {
      drop: async (number, unusedMs) => {
        if (number !== (await good.editions.use())?.number)
          return good.editions.drop(number, unusedMs);
        await database.query('delete from trove_objects');
        return true;
      },
    },
  }),
};
