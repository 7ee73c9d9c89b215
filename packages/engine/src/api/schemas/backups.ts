import type { Infer, JsonSchema } from '@trove/core';
import { count, nullableText, text, type RequestInput } from './shared.js';

export const backupRequestSchema = {
  type: 'object',
  title: 'BackupRequest',
  properties: {
    to: {
      ...text,
      description:
        'Absolute path of a missing or empty folder on the machine of the server, or a folder of a bucket: `s3://bucket/folder`.',
    },
  },
  required: ['to'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const backupResponseSchema = {
  type: 'object',
  title: 'BackupResponse',
  properties: {
    status: {
      enum: ['none', 'running', 'succeeded', 'failed'],
      description: 'The state of the last backup since the server started.',
    },
    to: { ...nullableText, description: 'The folder of the backup.' },
    started_at: { ...nullableText, description: 'When it began.' },
    finished_at: { ...nullableText, description: 'When it ended.' },
    files: { ...count, description: 'The number of its files so far.' },
    bytes: { ...count, description: 'The size of its files so far.' },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'Data of the server that the backup does not contain.',
    },
    error: { ...nullableText, description: 'The error code if it failed.' },
    detail: { ...nullableText, description: 'The error in words.' },
  },
  required: [
    'status',
    'to',
    'started_at',
    'finished_at',
    'files',
    'bytes',
    'warnings',
    'error',
    'detail',
  ],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type BackupRequest = RequestInput<typeof backupRequestSchema>;

export type BackupResponse = Infer<typeof backupResponseSchema>;
