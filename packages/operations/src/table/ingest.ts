import type { JsonSchema } from '@trove/core';
import {
  addRequestSchema,
  addResponseSchema,
  cancelResponseSchema,
  jobIdSchema,
  jobResponseSchema,
  jobsQuerySchema,
  jobsResponseSchema,
} from '@trove/engine/api';
import { jsonResponse } from '../response.js';
import { jsonBody } from '../body.js';
import { withCommands } from '../exposure.js';
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
    method: 'POST',
    path: '/v1/add',
    tag: 'Ingest',
    summary: 'Register a source and index it',
    description:
      'With `process`, the answer comes when the job has ended, however it ended; without it, the job is queued: ' +
      'poll `/v1/jobs/{job_id}`. The job continues even if nobody waits for it. Adding a registered source again syncs it.',
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
    exposure: withCommands('add', 'connector update'),
  }),
  listJobs: operation({
    method: 'GET',
    path: '/v1/jobs',
    tag: 'Ingest',
    summary: 'Jobs, newest first',
    query: jobsQuerySchema,
    response: jsonResponse('Jobs.', jobsResponseSchema),
    errors: [],
    exposure: withCommands('job list'),
  }),
  getJob: operation({
    method: 'GET',
    path: '/v1/jobs/{job_id}',
    tag: 'Ingest',
    summary: 'One job, with live counts',
    params: jobParams,
    response: jsonResponse('The job.', jobResponseSchema),
    errors: ['not_found'],
    exposure: withCommands('job show', 'add'),
  }),
  cancelJob: operation({
    method: 'POST',
    path: '/v1/jobs/{job_id}/cancel',
    tag: 'Ingest',
    summary: 'Stop a job; finished work is kept',
    params: jobParams,
    response: jsonResponse('Whether it was stopped.', cancelResponseSchema),
    errors: ['not_found'],
    exposure: withCommands('job cancel'),
  }),
};
