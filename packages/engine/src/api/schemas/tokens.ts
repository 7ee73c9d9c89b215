import type { Infer, JsonSchema } from '@trove/core';
import { rightsLevels } from '../rights.js';
import { nullableText, text, type RequestInput } from './shared.js';

const maxLifetimeS = 10 * 365 * 24 * 60 * 60;
const maxOverlapS = 30 * 24 * 60 * 60;

export const tokenNameSchema = {
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$',
  description: 'Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`.',
} as const satisfies JsonSchema;

const rights = {
  type: 'string',
  enum: [...rightsLevels],
  description:
    '`read` searches and reads. `sync` also syncs registered sources. `admin` may use every operation.',
} as const;

export const createTokenRequestSchema = {
  type: 'object',
  title: 'CreateTokenRequest',
  properties: {
    name: tokenNameSchema,
    rights: { ...rights, default: 'read' },
    paths: {
      type: ['array', 'null'],
      items: text,
      minItems: 1,
      maxItems: 100,
      default: null,
      description:
        'Paths or URIs of sources, folders and objects. The token sees only these and everything below them. Null: all. A token with the right `admin` sees all.',
    },
    expires_in_s: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: maxLifetimeS,
      default: null,
      description: 'Seconds until the token ends. Null: it never ends.',
    },
  },
  required: ['name'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const rotateTokenRequestSchema = {
  type: 'object',
  title: 'RotateTokenRequest',
  properties: {
    overlap_s: {
      type: 'integer',
      minimum: 0,
      maximum: maxOverlapS,
      default: 0,
      description: 'Seconds for which the replaced token stays valid.',
    },
  },
  required: [],
  additionalProperties: false,
} as const satisfies JsonSchema;

const tokenProperties = {
  id: { type: 'string', description: 'The public part of the token.' },
  name: { type: 'string', description: 'Name of the token.' },
  rights: {
    type: 'string',
    description: '`read`, `sync` or `admin`. Later versions may add values.',
  },
  paths: {
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Canonical URIs of what the token sees. Null: everything.',
  },
  created_at: { type: 'string', format: 'date-time', description: 'When the token was created.' },
  last_used_at: {
    ...nullableText,
    format: 'date-time',
    description: 'When the token was last used, to the minute. Null if never.',
  },
  ends_at: {
    ...nullableText,
    format: 'date-time',
    description: 'When the token ends or has ended. Null: never.',
  },
  is_replaced: {
    type: 'boolean',
    description: 'Whether a newer token with this name exists. This one is valid until it ends.',
  },
} as const;

const tokenRequired = [
  'id',
  'name',
  'rights',
  'paths',
  'created_at',
  'last_used_at',
  'ends_at',
  'is_replaced',
] as const;

export const tokensResponseSchema = {
  type: 'object',
  title: 'TokensResponse',
  properties: {
    tokens: {
      type: 'array',
      description:
        'The tokens by name, also ended ones. The token of the server is not among them.',
      items: {
        type: 'object',
        title: 'TokenInfo',
        properties: tokenProperties,
        required: tokenRequired,
        additionalProperties: false,
      },
    },
  },
  required: ['tokens'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const createdTokenSchema = {
  type: 'object',
  title: 'CreatedToken',
  properties: {
    ...tokenProperties,
    token: { type: 'string', description: 'The token. The server stores only its hash.' },
  },
  required: [...tokenRequired, 'token'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const revokedTokenSchema = {
  type: 'object',
  title: 'RevokedToken',
  properties: {
    name: { type: 'string', description: 'Name of the token.' },
    revoked: {
      type: 'integer',
      minimum: 1,
      description: 'Number of ended tokens: the current one and replaced ones.',
    },
  },
  required: ['name', 'revoked'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type CreateTokenRequest = RequestInput<typeof createTokenRequestSchema>;
export type RotateTokenRequest = RequestInput<typeof rotateTokenRequestSchema>;
export type TokensResponse = Infer<typeof tokensResponseSchema>;
export type TokenInfo = TokensResponse['tokens'][number];
export type CreatedToken = Infer<typeof createdTokenSchema>;
export type RevokedToken = Infer<typeof revokedTokenSchema>;
