import type { JobRecord, LeftOut, Problem } from '@trove/core/store';

import type { Row } from '../database/types.js';
import {
  flag,
  jsonOrNull,
  number,
  numberOrNull,
  oneOf,
  records,
  text,
  textOrNull,
  texts,
  type Scalar,
} from '../database/values.js';

export const jobStatuses = [
  'queued',
  'running',
  'succeeded',
  'partial',
  'failed',
  'cancelled',
] as const;

export const jobColumns = [
  'id',
  'connector_id',
  'target',
  'op_kind',
  'triggered_by',
  'status',
  'full_sync',
  'since',
  'paths',
  'problem_code',
  'problem_detail',
  'total',
  'added',
  'changed',
  'removed',
  'unchanged',
  'left_out',
  'failed',
  'cancelled',
  'chunks',
  'chunks_without_vector',
  'summarizing',
  'paused_until',
  'summaries',
  'summaries_missing',
  'model_calls',
  'model_input_tokens',
  'model_output_tokens',
  'created_at',
  'started_at',
  'finished_at',
  'listed',
  'checkpoint',
  'warnings',
  'left_out_reasons',
  'cancel_requested',
  'attempt',
  'deaths',
];

export function jobOf(row: Row): JobRecord {
  return {
    id: text(row, 'id'),
    connectorId: text(row, 'connector_id'),
    target: text(row, 'target'),
    opKind: text(row, 'op_kind'),
    trigger: text(row, 'triggered_by'),
    status: oneOf(row, 'status', jobStatuses),
    full: flag(row, 'full_sync'),
    since: textOrNull(row, 'since'),
    paths: row['paths'] === null ? null : texts(row, 'paths'),
    problem: problemOf(row),
    total: number(row, 'total'),
    added: number(row, 'added'),
    changed: number(row, 'changed'),
    removed: number(row, 'removed'),
    unchanged: number(row, 'unchanged'),
    leftOut: number(row, 'left_out'),
    failed: number(row, 'failed'),
    cancelled: number(row, 'cancelled'),
    chunks: number(row, 'chunks'),
    chunksWithoutVector: number(row, 'chunks_without_vector'),
    summarizing: flag(row, 'summarizing'),
    pausedUntil: numberOrNull(row, 'paused_until'),
    summaries: number(row, 'summaries'),
    summariesMissing: number(row, 'summaries_missing'),
    modelUsage: {
      calls: number(row, 'model_calls'),
      inputTokens: number(row, 'model_input_tokens'),
      outputTokens: number(row, 'model_output_tokens'),
    },
    createdAt: number(row, 'created_at'),
    startedAt: numberOrNull(row, 'started_at'),
    finishedAt: numberOrNull(row, 'finished_at'),
    listed: flag(row, 'listed'),
    checkpoint: jsonOrNull(row, 'checkpoint'),
    cancelRequested: flag(row, 'cancel_requested'),
    attempt: number(row, 'attempt'),
    deaths: number(row, 'deaths'),
    warnings: texts(row, 'warnings'),
    leftOutReasons: records(row, 'left_out_reasons').map(leftOutOf),
  };
}

function leftOutOf([reason, objects, path]: readonly Scalar[]): LeftOut {
  return { reason: String(reason), objects: Number(objects), path: String(path) };
}

/** Returns the problem of a job or a connector. */
export function problemOf(row: Row): Problem | null {
  const code = textOrNull(row, 'problem_code');
  return code === null ? null : { code, detail: text(row, 'problem_detail') };
}
