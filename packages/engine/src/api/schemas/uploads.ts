import type { Infer, JsonSchema } from '@trove/core';
import { text, type RequestInput } from './shared.js';

/** The first part of the URI of what a machine sends: `file://laptop/home/me/notes`. */
const authority = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-zA-Z0-9._-]+$',
  not: { const: 'local' },
} as const;
const clientId = {
  ...authority,
  description:
    'Which machine the files are of: letters, digits, `.`, `_` and `-`, but not `local`.',
} as const;
const root = {
  type: 'string',
  pattern: '^/',
  maxLength: 4096,
  description: 'Absolute path of the folder on that machine.',
} as const;
const processProperty = {
  type: 'boolean',
  default: true,
  description: 'true: index before answering; false: queue a job.',
} as const;

export const uploadQuerySchema = {
  type: 'object',
  properties: {
    name: {
      ...authority,
      description: 'Name of the source, which is `file://NAME`: as a `client_id`.',
    },
    process: processProperty,
  },
  required: ['name'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const filesUploadQuerySchema = {
  type: 'object',
  properties: {
    client_id: clientId,
    root,
    process: processProperty,
    full: {
      type: 'boolean',
      default: false,
      description: 'Index everything again, ignoring caches and fingerprints.',
    },
  },
  required: ['client_id', 'root'],
  additionalProperties: false,
} as const satisfies JsonSchema;

/** Too large for a JSON number to be exact. */
const nanoseconds = {
  anyOf: [
    { type: 'integer', minimum: 0, maximum: 1e20 },
    { type: 'string', pattern: '^[0-9]{1,20}$' },
  ],
} as const;
const inode = { anyOf: [...nanoseconds.anyOf, { type: 'null' }] } as const;
const sha1 = {
  type: 'string',
  pattern: '^[0-9a-f]{40}$',
  description: 'Of its bytes, in hexadecimal.',
} as const;
const path = { ...text, description: 'Relative to the root, `/`-separated.' } as const;
const size = { type: 'integer', minimum: 0, description: 'In bytes.' } as const;

export const manifestRequestSchema = {
  type: 'object',
  title: 'ManifestRequest',
  properties: {
    client_id: clientId,
    root,
    files: {
      type: 'array',
      maxItems: 200_000,
      default: [],
      description: 'All files, as the file system knows them, without having been read.',
      items: {
        type: 'object',
        properties: {
          path,
          size,
          mtime_ns: {
            ...nanoseconds,
            description: 'When it was modified, in nanoseconds since 1970, as a number or a text.',
          },
          inode: {
            ...inode,
            default: null,
            description: 'As a number or a text, if there is one.',
          },
        },
        required: ['path', 'size', 'mtime_ns'],
        additionalProperties: false,
      },
    },
  },
  required: ['client_id', 'root'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export const manifestResponseSchema = {
  type: 'object',
  title: 'ManifestResponse',
  properties: {
    connector_uri: { type: 'string', description: 'Root URI of the source.' },
    staging: {
      type: 'string',
      description: 'Names the place where the server keeps the files of this source.',
    },
    need_sha1: {
      type: 'array',
      items: { type: 'string' },
      description: 'Paths that are new or look changed.',
    },
    stored: {
      type: 'array',
      description:
        'Those of them that the server has: where the SHA-1 is still the same, no bytes need be sent.',
      items: {
        type: 'object',
        properties: { path, sha1 },
        required: ['path', 'sha1'],
        additionalProperties: false,
      },
    },
    deletion_candidates: {
      type: 'array',
      description:
        'Stored files that are not in the manifest: deleted, or renamed to a path with the same SHA-1.',
      items: {
        type: 'object',
        properties: {
          path,
          size,
          inode: { ...inode, description: 'As the client gave it; null if it gave none.' },
          sha1,
        },
        required: ['path', 'size', 'inode', 'sha1'],
        additionalProperties: false,
      },
    },
  },
  required: ['connector_uri', 'staging', 'need_sha1', 'stored', 'deletion_candidates'],
  additionalProperties: false,
} as const satisfies JsonSchema;

export type UploadQuery = RequestInput<typeof uploadQuerySchema>;

export type FilesUploadQuery = RequestInput<typeof filesUploadQuerySchema>;

export type ManifestResponse = Infer<typeof manifestResponseSchema>;

type ManifestFile = Infer<typeof manifestRequestSchema>['files'][number];

export interface ManifestRequest {
  readonly client_id: string;
  readonly root: string;
  readonly files?: readonly (Omit<ManifestFile, 'inode'> & Partial<Pick<ManifestFile, 'inode'>>)[];
}
