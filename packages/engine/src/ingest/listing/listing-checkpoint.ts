import type { Infer, JsonSchema } from '@trove/core';
import { validate } from '@trove/runtime';

const checkpointSchema = {
  type: 'object',
  required: ['token', 'fromStart', 'hasAll', 'warnings', 'readPaths'],
  properties: {
    token: { description: "The connector's token." },
    fromStart: { type: 'boolean', description: 'The listing began without a cursor.' },
    hasAll: { type: 'boolean', description: 'The listing is a full one.' },
    isEmpty: {
      type: 'boolean',
      description: 'No object has been listed so far. Missing: unknown.',
    },
    cursor: { description: 'The cursor that the connector has set so far.' },
    kept: { description: 'The state that the connector has set so far.' },
    warnings: { type: 'array', items: { type: 'string' } },
    readPaths: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'The objects that are read as a whole. Null: unknown.',
    },
  },
} as const satisfies JsonSchema;

/** What a listing needs to continue in another process. */
export type ListingCheckpoint = Infer<typeof checkpointSchema>;

/** Returns the stored checkpoint of a job. Null: the listing begins at its start. */
export function parseCheckpoint(stored: unknown): ListingCheckpoint | null {
  return stored === null ? null : validate(checkpointSchema, stored, 'checkpoint');
}
