import type { JsonSchema } from '@trove/core';
import {
  backupRequestSchema,
  backupResponseSchema,
  operationRights,
  readyResponseSchema,
  serverInfoSchema,
  statusResponseSchema,
} from '@trove/engine/api';
import { jsonBody } from '../body.js';
import { contentResponse, jsonResponse } from '../response.js';
import { withCommands, withoutCommand, withTools } from '../exposure.js';
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
    rights: 'read',
    method: 'GET',
    path: '/healthz',
    tag: 'Server',
    summary: 'Check that the server is running',
    response: jsonResponse('The server is running.', healthSchema),
    errors: [],
    isPublic: true,
    isPolled: true,
    withoutEngine: true,
    exposure: withCommands('serve start'),
  }),
  readyz: operation({
    rights: operationRights.ready,
    method: 'GET',
    path: '/readyz',
    tag: 'Server',
    summary: 'Check that the databases and the index respond',
    description:
      'For load balancers. The result is up to a second old, and the response takes at most two seconds. Low disk space is a warning with status 200, because reading still works.',
    response: jsonResponse('Databases and index respond.', readyResponseSchema),
    errors: ['not_ready'],
    isPublic: true,
    isPolled: true,
    exposure: withoutCommand('Load balancers use it.'),
  }),
  metrics: operation({
    rights: 'read',
    method: 'GET',
    path: '/metrics',
    tag: 'Server',
    summary: 'Get metrics for Prometheus',
    description:
      'Metrics of requests, queues, models, caches, sources, jobs and the process. Counts from the database are up to 15 s old.',
    response: contentResponse('The metrics.', 'text/plain; version=0.0.4; charset=utf-8'),
    errors: [],
    concernsAllSources: true,
    isPolled: true,
    exposure: withoutCommand('Prometheus uses it.'),
  }),
  getServerInfo: operation({
    rights: operationRights.serverInfo,
    method: 'GET',
    path: '/v1/server/info',
    tag: 'Server',
    summary: 'Get the version, machine and capabilities of the server',
    response: jsonResponse('The server information.', serverInfoSchema),
    errors: [],
    exposure: withCommands('doctor', 'add'),
  }),
  status: operation({
    rights: operationRights.status,
    method: 'GET',
    path: '/v1/status',
    tag: 'Server',
    summary: 'Get the registered sources and the number of jobs by status',
    response: jsonResponse('The sources and jobs.', statusResponseSchema),
    errors: [],
    exposure: withTools(
      withCommands('status', 'ls', 'tree', 'connector list', 'doctor', 'explain', 'search'),
      'list',
      'status',
      'sync',
    ),
  }),
  startBackup: operation({
    rights: 'admin',
    method: 'POST',
    path: '/v1/backup',
    tag: 'Server',
    summary: 'Start a backup of the running server',
    description:
      'Writes the metadata, the index, uploaded files, credentials and settings to a folder of the server. `GET /v1/backup` shows the progress.',
    body: jsonBody(backupRequestSchema),
    response: jsonResponse('The started backup.', backupResponseSchema),
    errors: ['backup_running'],
    exposure: withCommands('backup'),
  }),
  getBackup: operation({
    rights: 'admin',
    method: 'GET',
    path: '/v1/backup',
    tag: 'Server',
    summary: 'Get the state of the last backup',
    response: jsonResponse('The last backup since the server started.', backupResponseSchema),
    errors: [],
    isPolled: true,
    exposure: withCommands('backup'),
  }),
};
