import type { Infer, JsonSchema } from '@trove/core';
import { nullableText, text, type RequestInput } from './shared.js';

const maxSources = 10_000;

export const exportSourcesResponseSchema = {
  type: 'object',
  title: 'ExportSourcesResponse',
  properties: {
    sources: {
      type: 'array',
      description: 'The sources by URI, without uploaded ones.',
      items: {
        type: 'object',
        title: 'ExportedSource',
        properties: {
          target: { type: 'string', description: 'Canonical URI of the source.' },
          config: {
            type: ['object', 'null'],
            additionalProperties: true,
            description:
              'Its configuration with references to secrets. Secrets in plain text are `***`.',
          },
        },
        required: ['target', 'config'],
        additionalProperties: false,
      },
    },
  },
  required: ['sources'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const applySourcesRequestSchema = {
  type: 'object',
  title: 'ApplySourcesRequest',
  properties: {
    sources: {
      type: 'array',
      maxItems: maxSources,
      description: 'The desired sources.',
      items: {
        type: 'object',
        title: 'SourceDefinition',
        properties: {
          target: { ...text, description: 'Path or URI of the source.' },
          config: {
            type: ['object', 'null'],
            additionalProperties: true,
            default: null,
            description: 'Its configuration. A value `***` keeps the value that the server has.',
          },
        },
        required: ['target'],
        additionalProperties: false,
      },
    },
    prune: {
      type: 'boolean',
      default: false,
      description: 'Remove all other sources, except uploaded ones.',
    },
    dry_run: {
      type: 'boolean',
      default: false,
      description: 'Return the difference and change nothing.',
    },
  },
  required: ['sources'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const applySourcesResponseSchema = {
  type: 'object',
  title: 'ApplySourcesResponse',
  properties: {
    dry_run: { type: 'boolean', description: 'Nothing was changed.' },
    changes: {
      type: 'array',
      description: 'One item for each desired or removed source.',
      items: {
        type: 'object',
        title: 'SourceChange',
        properties: {
          target: { type: 'string', description: 'URI of the source.' },
          action: {
            enum: ['add', 'update', 'remove', 'none'],
            description: 'How the source differs from the desired state.',
          },
          keys: {
            type: 'array',
            items: { type: 'string' },
            description: 'The keys of the configuration that differ.',
          },
          job_id: { ...nullableText, description: 'The job that syncs the source, if any.' },
          error: {
            ...nullableText,
            description: 'The error code if the change is impossible. Other changes are made.',
          },
          detail: { ...nullableText, description: 'The error in words.' },
        },
        required: ['target', 'action', 'keys', 'job_id', 'error', 'detail'],
        additionalProperties: false,
      },
    },
  },
  required: ['dry_run', 'changes'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type ExportSourcesResponse = Infer<typeof exportSourcesResponseSchema>;

/** The desired sources. */
export type ApplySourcesRequest = RequestInput<typeof applySourcesRequestSchema>;

export type ApplySourcesResponse = Infer<typeof applySourcesResponseSchema>;
