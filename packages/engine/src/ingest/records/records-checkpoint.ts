import type { Infer, JsonSchema } from '@trove/core';
import { validate } from '@trove/runtime';

const checkpointSchema = {
  type: 'object',
  required: ['token', 'last', 'seen', 'read', 'leftOut'],
  properties: {
    token: { description: "The connector's token." },
    last: {
      type: 'integer',
      description: 'The largest number of a record from before the sync.',
    },
    seen: {
      type: 'array',
      items: { type: 'array', items: { type: ['integer', 'string'] } },
      description: 'The numbers of stored records that the source still has, see `NumberSet`.',
    },
    read: { type: 'integer', description: 'The number of records read so far.' },
    leftOut: {
      type: 'object',
      required: ['count', 'reasons'],
      properties: {
        count: { type: 'integer' },
        reasons: { type: 'array', items: { type: 'string' } },
      },
    },
    collected: {
      type: 'integer',
      minimum: 0,
      description: 'The bytes of messages in the file of the task. Absent: they are not all there.',
    },
  },
} as const satisfies JsonSchema;

/** What the sync of an object's records needs to continue in another attempt. */
export type RecordsCheckpoint = Infer<typeof checkpointSchema>;

/** The checkpoints of one task. */
export interface RecordsCheckpoints {
  /** The last one of an earlier attempt. Null: begin at the start. */
  readonly resumed: RecordsCheckpoint | null;
  save(checkpoint: RecordsCheckpoint): Promise<void>;
}

export function parseRecordsCheckpoint(stored: unknown): RecordsCheckpoint | null {
  return stored === null ? null : validate(checkpointSchema, stored, 'checkpoint');
}
