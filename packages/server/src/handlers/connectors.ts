import type { connectorOperations } from '@trove/operations';
import type { HandlersOf } from '../routes/route.js';

export const connectorHandlers: HandlersOf<typeof connectorOperations> = {
  probeConnector: (engine, { body }, options) => engine.probe(body, options),
  estimateConnector: (engine, { body }, options) => engine.estimate(body, options),
  explainConnector: (engine, { body }, options) => engine.explain(body, options),
  moveConnector: (engine, { body }, options) => engine.move(body, options),
  scheduleConnector: (engine, { body }, options) => engine.schedule(body, options),
  exportSources: (engine, _input, options) => engine.exportSources(options),
  applySources: (engine, { body }, options) => engine.applySources(body, options),
  listSourceKinds: (engine, { body }, options) => engine.sourceKinds(body, options),
  describeConnector: (engine, { query }, options) => engine.connectorType(query, options),
  inspectConnector: (engine, { query }, options) => engine.inspect(query, options),
  removeConnector: (engine, { query }) => engine.remove(query),
};
