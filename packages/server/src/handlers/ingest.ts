import type { ingestOperations } from '@trove/operations';
import type { HandlersOf } from '../routes/route.js';

export const ingestHandlers: HandlersOf<typeof ingestOperations> = {
  addSource: (engine, { body }, options) => engine.add(body, options),
  listJobs: (engine, { query }) => engine.jobs(query),
  getJob: (engine, { params }) => engine.job(params.job_id),
  cancelJob: (engine, { params }) => engine.cancel(params.job_id),
};
