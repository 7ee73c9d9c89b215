import {
  estimateResponseSchema,
  inspectResponseSchema,
  probeRequestSchema,
  probeResponseSchema,
  removeResponseSchema,
  targetQuerySchema,
} from '@trove/engine/api';
import { jsonResponse } from '../response.js';
import { jsonBody } from '../body.js';
import { withCommands } from '../exposure.js';
import { sourceErrors } from '../errors.js';
import { operation } from '../operation.js';

export const connectorOperations = {
  probeConnector: operation({
    method: 'POST',
    path: '/v1/connectors/probe',
    tag: 'Connectors',
    summary: 'Whether a source can be reached',
    description:
      'Registers nothing. A source that cannot be reached is an answer with `ok: false`.',
    body: jsonBody(probeRequestSchema),
    response: jsonResponse('What was found.', probeResponseSchema),
    errors: sourceErrors,
    exposure: withCommands('probe'),
  }),
  estimateConnector: operation({
    method: 'POST',
    path: '/v1/connectors/estimate',
    tag: 'Connectors',
    summary: 'How much work indexing a source would be',
    description: 'Registers nothing, and calls nothing that is billed.',
    body: jsonBody(probeRequestSchema),
    response: jsonResponse('The estimate.', estimateResponseSchema),
    errors: [...sourceErrors, 'since_unsupported', 'connector_unhealthy'],
    exposure: withCommands('estimate', 'add'),
  }),
  inspectConnector: operation({
    method: 'GET',
    path: '/v1/connectors/inspect',
    tag: 'Connectors',
    summary: 'Everything about a registered source, with secrets hidden',
    query: targetQuerySchema,
    response: jsonResponse('A summary; its fields may change.', inspectResponseSchema),
    errors: [...sourceErrors, 'not_found'],
    exposure: withCommands('inspect', 'connector update', 'search'),
  }),
  removeConnector: operation({
    method: 'DELETE',
    path: '/v1/connectors',
    tag: 'Connectors',
    summary: 'Unregister a source and remove it from the index',
    query: targetQuerySchema,
    response: jsonResponse('What was removed.', removeResponseSchema),
    errors: ['not_found', 'connector_removing', 'remove_requires_connector_root'],
    exposure: withCommands('remove'),
  }),
};
