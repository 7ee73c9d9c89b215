import type { JsonSchema } from '@trove/core';
import { json } from '../http/answer.js';
import { route, type Route } from './route.js';

const documentSchema = {
  type: 'object',
  title: 'OpenApiDocument',
  additionalProperties: true,
} as const satisfies JsonSchema;

/** The route that returns the description of all routes. */
export function documentRoute(document: () => object): Route {
  return route(
    {
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApi',
      tag: 'Server',
      summary: 'This description, as an OpenAPI 3.1 document',
      description: '`servers` has the address that the request was sent to.',
      answer: json('The document.', documentSchema),
      errors: [],
      withoutEngine: true,
    },
    (_engine, _input, { origin }) => ({ ...document(), servers: [{ url: origin }] }),
  );
}
