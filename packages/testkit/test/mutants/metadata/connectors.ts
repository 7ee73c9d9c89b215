import type { Mutants } from './support.js';

export const connectorMutants: Mutants = {
  'register-keeps-everything': (good) => ({
    sources: {
      register: ({ config, ...rest }) =>
        good.sources.register({ ...rest, config: config && withScalarsOnly(config) }),
    },
  }),
  'register-twice': (good) => ({
    sources: {
      register: async (connector) => {
        const record = await good.sources.register(connector);
        return record.id === connector.id ? record : { ...record, config: connector.config };
      },
    },
  }),
  'register-at-once': (good, data) => ({
    // Looks whether it is there, and writes only then: what came between is not seen.
    sources: {
      register: async (connector) => {
        const known = [...data.connectors.values()].some((c) => c.rootUri === connector.rootUri);
        await Promise.resolve();
        const record = await good.sources.register(connector);
        return known ? record : { ...record, id: connector.id };
      },
    },
  }),
  'connectors-in-order': (good) => ({
    sources: {
      list: async () => {
        const all = await good.sources.list();
        return all.sort((left, right) => left.rootUri.localeCompare(right.rootUri));
      },
    },
  }),
  'config-replaced': (good, data) => ({
    // Before it is known whether there will be a job.
    jobs: {
      create: (job) => {
        const connector = data.connectors.get(job.connectorId);
        if (connector !== undefined && job.config !== undefined) connector.config = job.config;
        return good.jobs.create(job);
      },
    },
  }),
  'tree-replaced': (good, data) => ({
    jobs: {
      create: (job) => {
        const connector = data.connectors.get(job.connectorId);
        if (connector !== undefined && job.tree?.from === connector.tree)
          connector.tree = job.tree.to;
        return good.jobs.create(job);
      },
    },
  }),
  'tree-made-from-another': (good, data) => ({
    // Whatever is current is taken for what the new one was made from.
    jobs: {
      create: ({ tree, ...job }) => {
        const from = data.connectors.get(job.connectorId)?.tree ?? null;
        return good.jobs.create(tree === undefined ? job : { ...job, tree: { ...tree, from } });
      },
    },
  }),
  'config-forgets-cursor': (good, data) => ({
    jobs: {
      create: async (job) => {
        const state = data.connectors.get(job.connectorId)?.state ?? null;
        const created = await good.jobs.create(job);
        const connector = data.connectors.get(job.connectorId);
        if (connector !== undefined) connector.state = state;
        return created;
      },
    },
  }),
  'unknown-ids': (good, data) => ({
    sources: {
      beginRemoval: async (id) => (data.connectors.has(id) ? good.sources.beginRemoval(id) : true),
    },
  }),
  stats: (good) => ({
    sources: {
      stats: async (id) => (await good.sources.stats(id)).filter(({ objects }) => objects > 0),
    },
  }),
  'removal-begins-once': (good) => ({
    sources: {
      beginRemoval: async (id) => {
        const connector = await good.sources.get(id);
        await good.sources.beginRemoval(id);
        return connector !== null;
      },
    },
  }),
  'no-job-while-removing': (good, data) => ({
    jobs: {
      create: async (job) => {
        const connector = data.connectors.get(job.connectorId);
        if (connector?.status === 'removing') connector.status = 'active';
        return good.jobs.create(job);
      },
    },
  }),
  'removing-stays': (good, data) => ({
    jobs: {
      finish: async (id, worker, outcome) => {
        const ended = await good.jobs.finish(id, worker, outcome);
        const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
        if (connector?.status === 'removing') connector.status = 'active';
        return ended;
      },
    },
  }),
  'delete-connector': (good, data) => ({
    sources: {
      delete: async (id) => {
        const objects = data.objects.get(id);
        await good.sources.delete(id);
        if (objects !== undefined) data.objects.set(id, objects);
      },
    },
  }),
  'delete-ends-job': (good, data) => ({
    sources: {
      delete: async (id) => {
        await good.sources.delete(id);
        for (const job of data.jobs.values()) {
          if (job.connectorId === id && job.problem?.code === 'cancelled') data.jobs.delete(job.id);
        }
      },
    },
  }),
};

function withScalarsOnly(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => typeof value !== 'object'),
  );
}
