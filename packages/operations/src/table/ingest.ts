import type { JsonSchema } from '@trove/core';
import {
  addRequestSchema,
  addResponseSchema,
  cancelResponseSchema,
  jobIdSchema,
  jobResponseSchema,
  jobsQuerySchema,
  jobsResponseSchema,
  operationRights,
} from '@trove/engine/api';
import { jsonResponse } from '../response.js';
import { jsonBody } from '../body.js';
import { withCommands, withTools } from '../exposure.js';
import { sourceErrors } from '../errors.js';
import { operation } from '../operation.js';

const jobParams = {
  type: 'object',
  properties: {
    job_id: jobIdSchema,
  },
  required: ['job_id'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const ingestOperations = {
  addSource: operation({
    rights: operationRights.add,
    method: 'POST',
    path: '/v1/add',
    tag: 'Ingest',
    summary: 'Register a source and index it',
    description:
      'With `process`, the response follows the end of the job, whatever its outcome. Otherwise the job is queued. Poll ' +
      '`/v1/jobs/{job_id}` for its progress. The job continues if the client disconnects. Adding a registered source again syncs it.',
    body: jsonBody(addRequestSchema),
    response: jsonResponse('The job that syncs the source.', addResponseSchema),
    errors: [
      ...sourceErrors,
      'sync_already_running',
      'connector_removing',
      'connector_already_registered',
      'since_unsupported',
      'connector_unhealthy',
    ],
    exposure: withTools(withCommands('add', 'connector update'), 'sync'),
  }),
  listJobs: operation({
    rights: operationRights.jobs,
    method: 'GET',
    path: '/v1/jobs',
    tag: 'Ingest',
    summary: 'List jobs, newest first',
    query: jobsQuerySchema,
    response: jsonResponse('The jobs.', jobsResponseSchema),
    errors: [],
    exposure: withTools(withCommands('job list'), 'status'),
  }),
  getJob: operation({
    rights: operationRights.job,
    method: 'GET',
    path: '/v1/jobs/{job_id}',
    tag: 'Ingest',
    summary: 'Get a job with live counts',
    params: jobParams,
    response: jsonResponse('The job.', jobResponseSchema),
    errors: ['not_found'],
    exposure: withCommands('job show', 'add'),
  }),
  cancelJob: operation({
    rights: operationRights.cancel,
    method: 'POST',
    path: '/v1/jobs/{job_id}/cancel',
    tag: 'Ingest',
    summary: 'Cancel a job and keep its finished work',
    params: jobParams,
    response: jsonResponse('Whether the job was cancelled.', cancelResponseSchema),
    errors: ['not_found'],
    exposure: withCommands('job cancel'),
  }),
};
