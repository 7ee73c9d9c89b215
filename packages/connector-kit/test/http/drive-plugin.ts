import { defineHttpConnector } from '../../src/http/index.js';

const listing = {
  get: '/files',
  page: { by: 'cursor', from: 'next', send: 'query.page' },
  items: 'files',
} as const;

/** A connector of the imaginary drive. */
export const drivePlugin = defineHttpConnector({
  keys: ['drive'],
  configSchema: {
    type: 'object',
    additionalProperties: false,
    properties: { url: { type: 'string', description: 'The address of the drive.' } },
  },
  base: '{config.url}',
  check: { get: '/me' },
  streams: {
    folders: { ...listing, query: { kind: 'folder' } },
    files: {
      ...listing,
      keep: ['id', 'type'],
      one: { get: '/files/{identity}' },
      document: {
        path: '{name}',
        identity: 'id',
        modifiedAt: 'modified',
        mediaType: 'type',
        tree: {
          folders: 'folders',
          id: 'id',
          name: 'name',
          parent: 'parent',
          createdAt: 'created',
          top: { get: '/files/top', id: 'id' },
        },
      },
      read: {
        get: '/files/{id}/content',
        ranges: true,
        exports: {
          paper: { get: '/files/{id}/export', mediaType: 'text/markdown', extension: '.md' },
          form: { skip: 'Forms have no content.' },
        },
      },
      incremental: {
        by: 'feed',
        start: { get: '/changes/start', token: 'token' },
        changes: { get: '/changes', query: { token: '{token}' } },
        page: { by: 'cursor', from: 'next', send: 'query.token' },
        items: 'changes',
        next: 'token',
        id: 'id',
        item: 'file',
        isGone: 'removed',
        isFolder: 'folder',
        errors: [{ when: { status: 410 }, do: 'expired' }],
      },
    },
  },
});
