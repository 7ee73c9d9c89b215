import type { Infer, JsonSchema } from '@trove/core';
import { text, type RequestInput } from './shared.js';

/** The authority in the URI of uploaded files, as in `file://laptop/home/me/notes`. */
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
    'Name of the machine with the files: letters, digits, `.`, `_` and `-`. `local` is reserved.',
} as const;
const root = {
  type: 'string',
  pattern: '^/',
  maxLength: 4096,
  description: 'Absolute path of the folder on the machine.',
} as const;
const processProperty = {
  type: 'boolean',
  default: true,
  description: '`true`: respond after indexing. `false`: queue a job and respond at once.',
} as const;

export const uploadQuerySchema = {
  type: 'object',
  properties: {
    name: {
      ...authority,
      description:
        'Name of the source `file://NAME`: letters, digits, `.`, `_` and `-`. `local` is reserved.',
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

/** A string avoids the rounding of JSON numbers. */
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
  description: 'SHA-1 of the bytes, in hexadecimal.',
} as const;
const path = { ...text, description: 'Path relative to the root, separated by `/`.' } as const;
const size = { type: 'integer', minimum: 0, description: 'Size in bytes.' } as const;

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
      description: 'All files with their file system metadata. The client need not read them.',
      items: {
        type: 'object',
        properties: {
          path,
          size,
          mtime_ns: {
            ...nanoseconds,
            description: 'Modification time in nanoseconds since 1970, as a number or string.',
          },
          inode: {
            ...inode,
            default: null,
            description: 'Inode as a number or string, if there is one.',
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
      description: 'Name of the tree with the files on the server.',
    },
    need_sha1: {
      type: 'array',
      items: { type: 'string' },
      description: 'Paths of files that are new or look changed. Send their SHA-1.',
    },
    stored: {
      type: 'array',
      description: 'Stored files among `need_sha1`. If the SHA-1 is equal, do not send the bytes.',
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
        'Stored files that the manifest lacks: deleted, or renamed to a path with the same SHA-1.',
      items: {
        type: 'object',
        properties: {
          path,
          size,
          inode: { ...inode, description: 'Inode as sent by the client. Null if none was sent.' },
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
