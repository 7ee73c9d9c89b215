import {
  estimateResponseSchema,
  inspectResponseSchema,
  probeRequestSchema,
  probeResponseSchema,
  removeResponseSchema,
  targetQuerySchema,
} from 'trove';
import { json } from '../http/answer.js';
import { jsonBody } from '../http/body/json.js';
import { sourceErrors } from './errors.js';
import { route } from './route.js';

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
      body: jsonBody(probeRequestSchema),
      answer: json('What was found.', probeResponseSchema),
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
      body: jsonBody(probeRequestSchema),
      answer: json('The estimate.', estimateResponseSchema),
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
      query: targetQuerySchema,
      answer: json('A summary; its fields may change.', inspectResponseSchema),
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
      query: targetQuerySchema,
      answer: json('What was removed.', removeResponseSchema),
      errors: ['not_found', 'connector_removing', 'remove_requires_connector_root'],
    },
    (engine, { query }) => engine.remove(query),
  ),
];
