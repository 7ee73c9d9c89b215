import {
  estimateResponseSchema,
  inspectResponseSchema,
  probeRequestSchema,
  probeResponseSchema,
  removeResponseSchema,
  targetQuerySchema,
} from 'trove';
import { sourceErrors } from './errors.js';
import { none, route } from './route.js';

export const connectorRoutes = [
  route(
    {
      method: 'POST',
      path: '/v1/connectors/probe',
      operationId: 'probeConnector',
      tag: 'Connectors',
      summary: 'Whether a source can be reached',
      description:
        'Registers nothing. A source that cannot be reached is an answer with `ok: false`.',
      params: none,
      query: none,
      body: probeRequestSchema,
      response: { description: 'What was found.', schema: probeResponseSchema },
      errors: sourceErrors,
    },
    (engine, { body }, options) => engine.probe(body, options),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/connectors/estimate',
      operationId: 'estimateConnector',
      tag: 'Connectors',
      summary: 'How much work indexing a source would be',
      description: 'Registers nothing, and calls nothing that is billed.',
      params: none,
      query: none,
      body: probeRequestSchema,
      response: { description: 'The estimate.', schema: estimateResponseSchema },
      errors: [...sourceErrors, 'since_unsupported', 'connector_unhealthy'],
    },
    (engine, { body }, options) => engine.estimate(body, options),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/connectors/inspect',
      operationId: 'inspectConnector',
      tag: 'Connectors',
      summary: 'Everything about a registered source, with secrets hidden',
      params: none,
      query: targetQuerySchema,
      body: none,
      response: { description: 'A summary; its fields may change.', schema: inspectResponseSchema },
      errors: [...sourceErrors, 'not_found'],
    },
    (engine, { query }, options) => engine.inspect(query, options),
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/connectors',
      operationId: 'removeConnector',
      tag: 'Connectors',
      summary: 'Unregister a source and remove it from the index',
      params: none,
      query: targetQuerySchema,
      body: none,
      response: { description: 'What was removed.', schema: removeResponseSchema },
      errors: ['not_found', 'connector_removing', 'remove_requires_connector_root'],
    },
    (engine, { query }) => engine.remove(query),
  ),
];
