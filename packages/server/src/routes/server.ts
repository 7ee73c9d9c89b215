import type { JsonSchema } from '@trove/core';
import { serverInfoSchema, statusResponseSchema } from 'trove';
import { none, route } from './route.js';

const healthSchema = {
  type: 'object',
  title: 'Health',
  properties: { status: { const: 'ok', type: 'string' } },
  required: ['status'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const serverRoutes = [
  route(
    {
      method: 'GET',
      path: '/healthz',
      operationId: 'healthz',
      tag: 'Server',
      summary: 'Whether the server is up',
      params: none,
      query: none,
      body: none,
      response: { description: 'It is.', schema: healthSchema },
      errors: [],
      open: true,
      withoutEngine: true,
    },
    () => ({ status: 'ok' }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/server/info',
      operationId: 'getServerInfo',
      tag: 'Server',
      summary: 'Version, machine and what can be added',
      params: none,
      query: none,
      body: none,
      response: { description: 'About this server.', schema: serverInfoSchema },
      errors: [],
    },
    (engine) => engine.serverInfo(),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/status',
      operationId: 'status',
      tag: 'Server',
      summary: 'The registered sources, and the number of jobs by status',
      params: none,
      query: none,
      body: none,
      response: { description: 'Sources and jobs.', schema: statusResponseSchema },
      errors: [],
    },
    (engine) => engine.status(),
  ),
];
