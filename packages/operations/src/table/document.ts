import type { JsonSchema } from '@trove/core';
import { jsonResponse } from '../response.js';
import { withCommands } from '../exposure.js';
import { operation } from '../operation.js';

const documentSchema = {
  type: 'object',
  title: 'OpenApiDocument',
  additionalProperties: true,
} as const satisfies JsonSchema;

export const documentOperations = {
  getOpenApi: operation({
    rights: 'read',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Server',
    summary: 'Get the OpenAPI 3.1 document of this API',
    description:
      '`servers` contains the address of the request. Behind a proxy, it is `.`, relative to the address of the document.',
    response: jsonResponse('The document.', documentSchema),
    errors: [],
    withoutEngine: true,
    exposure: withCommands('graph list'),
  }),
};
