import type { JsonSchema } from '@trove/core';
import { readyResponseSchema, serverInfoSchema, statusResponseSchema } from 'trove';
import { content, json } from '../http/answer.js';
import { route } from './route.js';

const healthSchema = {
  type: 'object',
  title: 'Health',
  properties: { status: { const: 'ok', type: 'string', description: 'Always ok.' } },
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
      answer: json('It is.', healthSchema),
      errors: [],
      open: true,
      polled: true,
      withoutEngine: true,
    },
    () => ({ status: 'ok' }),
  ),
  route(
    {
      method: 'GET',
      path: '/readyz',
      operationId: 'readyz',
      tag: 'Server',
      summary: 'Whether databases and index answer',
      description:
        'For load balancers. The answer is up to a second old, and comes within two. With little disk space, it is still 200, because reads go on, and `warnings` says so.',
      answer: json('They do.', readyResponseSchema),
      errors: ['not_ready'],
      open: true,
      polled: true,
    },
    (engine, _input, options) => engine.ready(options),
  ),
  route(
    {
      method: 'GET',
      path: '/metrics',
      operationId: 'metrics',
      tag: 'Server',
      summary: 'Numbers for Prometheus',
      description:
        'Requests, queues, models, caches, sources, jobs and the process. What the database counts may be 15 s old.',
      answer: content('Metrics.', 'text/plain; version=0.0.4; charset=utf-8'),
      errors: [],
      polled: true,
    },
    (_engine, _input, { metrics }) => metrics.text(),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/server/info',
      operationId: 'getServerInfo',
      tag: 'Server',
      summary: 'Version, machine and what can be added',
      answer: json('About this server.', serverInfoSchema),
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
      answer: json('Sources and jobs.', statusResponseSchema),
      errors: [],
    },
    (engine) => engine.status(),
  ),
];
