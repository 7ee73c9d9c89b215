import {
  estimateResponseSchema,
  explainRequestSchema,
  explainResponseSchema,
  inspectResponseSchema,
  probeRequestSchema,
  probeResponseSchema,
  removeResponseSchema,
  targetQuerySchema,
  operationRights,
} from '@trove/engine/api';
import { jsonResponse } from '../response.js';
import { jsonBody } from '../body.js';
import { withCommands } from '../exposure.js';
import { sourceErrors } from '../errors.js';
import { operation } from '../operation.js';

export const connectorOperations = {
  probeConnector: operation({
    rights: operationRights.probe,
    method: 'POST',
    path: '/v1/connectors/probe',
    tag: 'Connectors',
    summary: 'Check whether a source can be reached',
    description:
      'Does not register the source. If it cannot be reached, the response has `ok: false`.',
    body: jsonBody(probeRequestSchema),
    response: jsonResponse('The result of the check.', probeResponseSchema),
    errors: sourceErrors,
    exposure: withCommands('probe'),
  }),
  estimateConnector: operation({
    rights: operationRights.estimate,
    method: 'POST',
    path: '/v1/connectors/estimate',
    tag: 'Connectors',
    summary: 'Estimate the work of indexing a source',
    description: 'Does not register the source and calls no paid service.',
    body: jsonBody(probeRequestSchema),
    response: jsonResponse('The estimate.', estimateResponseSchema),
    errors: [...sourceErrors, 'since_unsupported', 'connector_unhealthy', 'rate_limited'],
    exposure: withCommands('estimate', 'add'),
  }),
  explainConnector: operation({
    rights: operationRights.explain,
    method: 'POST',
    path: '/v1/connectors/explain',
    tag: 'Connectors',
    summary: 'Explain the requests of the next sync of a source',
    description:
      'Makes no request to the source, which need not be registered. For a registered source, the sync continues from the last one.',
    body: jsonBody(explainRequestSchema),
    response: jsonResponse('The requests, without secrets.', explainResponseSchema),
    errors: [...sourceErrors, 'not_supported'],
    exposure: withCommands('connector explain'),
  }),
  inspectConnector: operation({
    rights: operationRights.inspect,
    method: 'GET',
    path: '/v1/connectors/inspect',
    tag: 'Connectors',
    summary: 'Inspect a registered source, with secrets hidden',
    query: targetQuerySchema,
    response: jsonResponse(
      'The source. The fields may change in later versions.',
      inspectResponseSchema,
    ),
    errors: [...sourceErrors, 'not_found'],
    exposure: withCommands('inspect', 'connector update', 'search'),
  }),
  removeConnector: operation({
    rights: operationRights.remove,
    method: 'DELETE',
    path: '/v1/connectors',
    tag: 'Connectors',
    summary: 'Unregister a source and remove it from the index',
    query: targetQuerySchema,
    response: jsonResponse('The removed source.', removeResponseSchema),
    errors: ['not_found', 'connector_removing', 'remove_requires_connector_root'],
    exposure: withCommands('remove'),
  }),
};
