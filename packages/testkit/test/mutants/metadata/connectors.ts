import type { Mutants } from './support.js';

export const connectorMutants: Mutants = {
  'register-keeps-everything': (good) => ({
    registerConnector: ({ config, ...rest }) =>
      good.registerConnector({ ...rest, config: config && withScalarsOnly(config) }),
  }),
  'register-twice': (good) => ({
    registerConnector: async (connector) => {
      const record = await good.registerConnector(connector);
      return record.id === connector.id ? record : { ...record, config: connector.config };
    },
  }),
  'register-at-once': (good, data) => ({
    // Looks whether it is there, and writes only then: what came between is not seen.
    registerConnector: async (connector) => {
      const known = [...data.connectors.values()].some((c) => c.rootUri === connector.rootUri);
      await Promise.resolve();
      const record = await good.registerConnector(connector);
      return known ? record : { ...record, id: connector.id };
    },
  }),
  'connectors-in-order': (good) => ({
    connectors: async () => {
      const all = await good.connectors();
      return all.sort((left, right) => left.rootUri.localeCompare(right.rootUri));
    },
  }),
  'config-replaced': (good, data) => ({
    // Before it is known whether there will be a job.
    createJob: (job) => {
      const connector = data.connectors.get(job.connectorId);
      if (connector !== undefined && job.config !== undefined) connector.config = job.config;
      return good.createJob(job);
    },
  }),
  'tree-replaced': (good, data) => ({
    createJob: (job) => {
      const connector = data.connectors.get(job.connectorId);
      if (connector !== undefined && job.tree?.from === connector.tree)
        connector.tree = job.tree.to;
      return good.createJob(job);
    },
  }),
  'tree-made-from-another': (good, data) => ({
    // Whatever is current is taken for what the new one was made from.
    createJob: ({ tree, ...job }) => {
      const from = data.connectors.get(job.connectorId)?.tree ?? null;
      return good.createJob(tree === undefined ? job : { ...job, tree: { ...tree, from } });
    },
  }),
  'config-forgets-cursor': (good, data) => ({
    createJob: async (job) => {
      const state = data.connectors.get(job.connectorId)?.state ?? null;
      const created = await good.createJob(job);
      const connector = data.connectors.get(job.connectorId);
      if (connector !== undefined) connector.state = state;
      return created;
    },
  }),
  'unknown-ids': (good, data) => ({
    beginRemoval: async (id) => (data.connectors.has(id) ? good.beginRemoval(id) : true),
  }),
  stats: (good) => ({
    connectorStats: async (id) =>
      (await good.connectorStats(id)).filter(({ objects }) => objects > 0),
  }),
  'removal-begins-once': (good) => ({
    beginRemoval: async (id) => {
      const connector = await good.connector(id);
      await good.beginRemoval(id);
      return connector !== null;
    },
  }),
  'no-job-while-removing': (good, data) => ({
    createJob: async (job) => {
      const connector = data.connectors.get(job.connectorId);
      if (connector?.status === 'removing') connector.status = 'active';
      return good.createJob(job);
    },
  }),
  'removing-stays': (good, data) => ({
    finishJob: async (id, worker, outcome) => {
      const ended = await good.finishJob(id, worker, outcome);
      const connector = data.connectors.get(data.jobs.get(id)?.connectorId ?? '');
      if (connector?.status === 'removing') connector.status = 'active';
      return ended;
    },
  }),
  'delete-connector': (good, data) => ({
    deleteConnector: async (id) => {
      const objects = data.objects.get(id);
      await good.deleteConnector(id);
      if (objects !== undefined) data.objects.set(id, objects);
    },
  }),
  'delete-ends-job': (good, data) => ({
    deleteConnector: async (id) => {
      await good.deleteConnector(id);
      for (const job of data.jobs.values()) {
        if (job.connectorId === id && job.problem?.code === 'cancelled') data.jobs.delete(job.id);
      }
    },
  }),
};

function withScalarsOnly(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => typeof value !== 'object'),
  );
}
