import type { JsonSchema } from '@trove/core';
import { none, route, type Route } from './route.js';

const documentSchema = {
  type: 'object',
  title: 'OpenApiDocument',
  additionalProperties: true,
} as const satisfies JsonSchema;

/** The route that returns the description of all routes. */
export function documentRoute(document: () => unknown): Route {
  return route(
    {
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApi',
      tag: 'Server',
      summary: 'This description, as an OpenAPI 3.1 document',
      params: none,
      query: none,
      body: none,
      response: { description: 'The document.', schema: documentSchema },
      errors: [],
      withoutEngine: true,
    },
    document,
  );
}
