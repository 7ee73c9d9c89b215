import type { JsonSchema } from '@trove/core';
import { readyResponseSchema, serverInfoSchema, statusResponseSchema } from '@trove/engine/api';
import { contentResponse, jsonResponse } from '../response.js';
import { withCommands, withoutCommand } from '../exposure.js';
import { operation } from '../operation.js';

const healthSchema = {
  type: 'object',
  title: 'Health',
  properties: { status: { const: 'ok', type: 'string', description: 'Always ok.' } },
  required: ['status'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const serverOperations = {
  healthz: operation({
    method: 'GET',
    path: '/healthz',
    tag: 'Server',
    summary: 'Whether the server is up',
    response: jsonResponse('It is.', healthSchema),
    errors: [],
    isPublic: true,
    isPolled: true,
    withoutEngine: true,
    exposure: withCommands('serve start'),
  }),
  readyz: operation({
    method: 'GET',
    path: '/readyz',
    tag: 'Server',
    summary: 'Whether databases and index answer',
    description:
      'For load balancers. The answer is up to a second old, and comes within two. With little disk space, it is still 200, because reads go on, and `warnings` says so.',
    response: jsonResponse('They do.', readyResponseSchema),
    errors: ['not_ready'],
    isPublic: true,
    isPolled: true,
    exposure: withoutCommand('Load balancers ask it.'),
  }),
  metrics: operation({
    method: 'GET',
    path: '/metrics',
    tag: 'Server',
    summary: 'Numbers for Prometheus',
    description:
      'Requests, queues, models, caches, sources, jobs and the process. What the database counts may be 15 s old.',
    response: contentResponse('Metrics.', 'text/plain; version=0.0.4; charset=utf-8'),
    errors: [],
    isPolled: true,
    exposure: withoutCommand('Prometheus asks it.'),
  }),
  getServerInfo: operation({
    method: 'GET',
    path: '/v1/server/info',
    tag: 'Server',
    summary: 'Version, machine and what can be added',
    response: jsonResponse('About this server.', serverInfoSchema),
    errors: [],
    exposure: withCommands('doctor', 'add'),
  }),
  status: operation({
    method: 'GET',
    path: '/v1/status',
    tag: 'Server',
    summary: 'The registered sources, and the number of jobs by status',
    response: jsonResponse('Sources and jobs.', statusResponseSchema),
    errors: [],
    exposure: withCommands('status', 'ls', 'tree', 'connector list', 'doctor', 'explain', 'search'),
  }),
};
