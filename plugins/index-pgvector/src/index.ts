import { defineVectorIndex } from '@trove/core/index';
import { PgVectorIndex } from './database.js';

const configSchema = {
  type: 'object',
  properties: {
    token: {
      type: 'string',
      description: 'Password of the database user, unless the URI has it.',
      writeOnly: true,
    },
    connections: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 8,
      description: 'Maximum number of connections that one process opens.',
    },
  },
  additionalProperties: false,
} as const;

/** Trove's vector index on PostgreSQL with the extension pgvector. */
export default defineVectorIndex({
  keys: ['postgres', 'postgresql'],
  configSchema,
  create: ({ uri, config, logger }) =>
    PgVectorIndex.connect(uri, { password: config.token, max: config.connections }, logger),
});
