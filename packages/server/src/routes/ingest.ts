import type { JsonSchema } from '@trove/core';
import {
  addRequestSchema,
  addResponseSchema,
  cancelResponseSchema,
  jobIdSchema,
  jobResponseSchema,
  jobsQuerySchema,
  jobsResponseSchema,
} from 'trove';
import { json } from '../http/answer.js';
import { jsonBody } from '../http/body/json.js';
import { sourceErrors } from './errors.js';
import { route } from './route.js';

const jobParams = {
  type: 'object',
  properties: {
    job_id: jobIdSchema,
  },
  required: ['job_id'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const ingestRoutes = [
  route(
    {
      method: 'POST',
      path: '/v1/add',
      operationId: 'addSource',
      tag: 'Ingest',
      summary: 'Register a source and index it',
      description:
        'With `process`, the answer comes when the job has ended, however it ended; without it, the job is queued: ' +
        'poll `/v1/jobs/{job_id}`. The job continues even if nobody waits for it. Adding a registered source again syncs it.',
      body: jsonBody(addRequestSchema),
      answer: json('The job that syncs the source.', addResponseSchema),
      errors: [
        ...sourceErrors,
        'sync_already_running',
        'connector_removing',
        'connector_already_registered',
        'since_unsupported',
        'connector_unhealthy',
      ],
    },
    (engine, { body }, options) => engine.add(body, options),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/jobs',
      operationId: 'listJobs',
      tag: 'Ingest',
      summary: 'Jobs, newest first',
      query: jobsQuerySchema,
      answer: json('Jobs.', jobsResponseSchema),
      errors: [],
    },
    (engine, { query }) => engine.jobs(query),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/jobs/{job_id}',
      operationId: 'getJob',
      tag: 'Ingest',
      summary: 'One job, with live counts',
      params: jobParams,
      answer: json('The job.', jobResponseSchema),
      errors: ['not_found'],
    },
    (engine, { params }) => engine.job(params.job_id),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/jobs/{job_id}/cancel',
      operationId: 'cancelJob',
      tag: 'Ingest',
      summary: 'Stop a job; finished work is kept',
      params: jobParams,
      answer: json('Whether it was stopped.', cancelResponseSchema),
      errors: ['not_found'],
    },
    (engine, { params }) => engine.cancel(params.job_id),
  ),
];
