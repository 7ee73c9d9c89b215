import type { GenerationSpec, JobStatus } from '@trove/core/store';

import type { Mutants } from './support.js';

const first: GenerationSpec = { embedding: 'lexical/1', dimension: 8 };
/** A subselect of the catalogue of the generation in use; binds its embedding. */
const catalogue = `(select catalogue from trove_generations where embedding = ? and state = 'used')`;

export const generationMutants: Mutants = {
  // Lists the objects of the first generation for every generation.
  'generations-apart': (_good, database) => ({
    objects: {
      list: async (...asked) => (await database.open('default', first)).objects.list(...asked),
    },
  }),
  'generations-known': (good) => ({
    generations: {
      listOthers: async () =>
        (await good.generations.listOthers()).map((each) => ({ ...each, dimension: 8 })),
    },
  }),
  // Registers the connector only in its own generation.
  'generation-gets-sources': (good, database, generation = first) => ({
    sources: {
      register: async (connector) => {
        const registered = await good.sources.register(connector);
        await database.query(
          `delete from trove_connectors where id = ? and namespace <> ${catalogue}`,
          connector.id,
          generation.embedding,
        );
        return registered;
      },
    },
  }),
  'generation-sync-state': (good, database) => ({
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
  'generation-config': (good, database, generation = first) => ({
    jobs: {
      create: async (job) => {
        const others = await database.query(
          `select seq, state from trove_connectors where namespace <> ${catalogue}`,
          generation.embedding,
        );
        const created = await good.jobs.create(job);
        for (const { seq, state } of others)
          await database.query('update trove_connectors set state = ? where seq = ?', state, seq);
        return created;
      },
    },
  }),
  'generation-jobs': (_good, database, generation = first) => ({
    jobs: {
      counts: async (connectorId) => {
        const rows = await database.query(
          `select status, count(*) as jobs from trove_jobs
            where namespace = ${catalogue} and connector_id = coalesce(?, connector_id)
            group by status`,
          generation.embedding,
          connectorId ?? null,
        );
        return Object.fromEntries(
          rows.map((row) => [row['status'] as JobStatus, Number(row['jobs'])]),
        );
      },
    },
  }),
  'generation-cancels': (good, database) => ({
    jobs: {
      cancel: async (id) => {
        const [row] = await database.query(
          `select e.embedding, e.dimension from trove_jobs j join trove_generations e
            on e.catalogue = j.namespace where j.id = ?`,
          id,
        );
        if (row === undefined) return good.jobs.cancel(id);
        const spec = { embedding: String(row['embedding']), dimension: Number(row['dimension']) };
        return (await database.open('default', spec)).jobs.cancel(id);
      },
    },
  }),
  'generation-removal': (good, database, generation = first) => ({
    sources: {
      beginRemoval: async (id) => {
        const begun = await good.sources.beginRemoval(id);
        await database.query(
          `update trove_connectors set status = 'active' where id = ? and namespace <> ${catalogue}`,
          id,
          generation.embedding,
        );
        return begun;
      },
    },
  }),
  'generation-reader': (good) => ({
    generations: {
      reader: async (number) => ({
        ...(await good.generations.reader(number)),
        sources: good.sources,
      }),
    },
  }),
  'generation-dropped': (good, database) => ({
    generations: {
      drop: async (number, unusedMs) => {
        const isDropped = await good.generations.drop(number, unusedMs);
        if (isDropped) await database.query(`delete from trove_jobs where id = 'j1'`);
        return isDropped;
      },
    },
  }),
  'generation-dropped-drops-none': (good, database, generation = first) => ({
    generations: {
      drop: async (number, unusedMs) => {
        const dropped = await database.query(
          `update trove_generations set state = 'used' where embedding = ? and state = 'dropped'
            returning number`,
          generation.embedding,
        );
        try {
          return await good.generations.drop(number, unusedMs);
        } finally {
          for (const row of dropped)
            await database.query(
              `update trove_generations set state = 'dropped' where number = ?`,
              row['number'],
            );
        }
      },
    },
  }),
  'generation-number-is-new': (_good, database) => ({
    generations: {
      delete: async (number) => {
        await database.query(
          `update trove_generations set state = 'deleted' where number = ?`,
          number,
        );
      },
    },
  }),
  'own-generation-kept': (good, database) => ({
    generations: {
      drop: async (number, unusedMs) => {
        if (number !== (await good.generations.markUsed())?.number)
          return good.generations.drop(number, unusedMs);
        await database.query('delete from trove_objects');
        return true;
      },
    },
  }),
};
