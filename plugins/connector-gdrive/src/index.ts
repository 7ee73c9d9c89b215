import { defineHttpConnector, googleLogin } from '@trove/connector-kit/http';

import { configSchema } from './config.js';
import { errors, expiredToken, scope } from './errors.js';
import {
  authorOf,
  exports,
  fileFields,
  fingerprintOf,
  folderType,
  parentOf,
  skipReason,
  type DriveFile,
} from './files.js';
import { setup } from './setup.js';

/** The user's own files, or those of a shared drive. */
const place = {
  driveId: '{config.drive_id}',
  supportsAllDrives: true,
  includeItemsFromAllDrives: ({ config }: InDrive) => isShared(config),
};

interface InDrive {
  readonly config: { readonly drive_id?: string; readonly folder_id?: string };
}

function isShared({ drive_id }: InDrive['config']): boolean {
  return drive_id !== undefined;
}

function list(q: string, fields: string) {
  return {
    get: '/drive/v3/files',
    query: {
      ...place,
      corpora: ({ config }: InDrive) => (isShared(config) ? 'drive' : 'user'),
      q,
      pageSize: 1000,
      fields: `nextPageToken,incompleteSearch,files(${fields})`,
    },
    page: { by: 'cursor', from: 'nextPageToken', send: 'query.pageToken' },
    items: 'files',
    itemsRequired: true,
    errors: expiredToken,
  } as const;
}

/** Connector for Google Drive (`gdrive://NAME`): files with ranges, and documents of Google's editors as exports. */
export default defineHttpConnector({
  keys: ['gdrive'],
  configSchema,
  setup,
  base: '{config.base_url}',
  auth: googleLogin({ scope }),
  check: {
    get: '/drive/v3/about',
    query: { fields: 'user(displayName,emailAddress)' },
    say: 'Connected as {user.emailAddress}.',
  },
  errors,
  streams: {
    folders: list(`mimeType = '${folderType}' and trashed = false`, 'id,name,parents'),
    files: {
      ...list(`mimeType != '${folderType}' and trashed = false`, fileFields),
      keep: ['id', 'mimeType'],
      isGone: 'trashed',
      one: {
        get: '/drive/v3/files/{identity}',
        query: { supportsAllDrives: true, fields: fileFields },
      },
      document: {
        path: '{name}',
        identity: 'id',
        title: 'name',
        url: 'webViewLink',
        author: authorOf,
        size: 'size',
        modifiedAt: 'modifiedTime',
        fingerprint: fingerprintOf,
        mediaType: 'mimeType',
        skip: skipReason,
        tree: {
          folders: 'folders',
          id: 'id',
          name: 'name',
          parent: parentOf,
          createdAt: 'createdTime',
          root: '{config.folder_id}',
          // The service lists no files of a lost folder, which would empty the source.
          top: {
            get: ({ config }: InDrive) =>
              `/drive/v3/files/${config.folder_id ?? config.drive_id ?? 'root'}`,
            query: { supportsAllDrives: true, fields: 'id' },
            id: 'id',
          },
          orphans: 'Shared with me',
        },
      },
      read: {
        get: '/drive/v3/files/{id}',
        query: { alt: 'media', supportsAllDrives: true },
        ranges: true,
        exports,
      },
      incremental: {
        by: 'feed',
        start: {
          get: '/drive/v3/changes/startPageToken',
          query: { driveId: '{config.drive_id}', supportsAllDrives: true },
          token: 'startPageToken',
        },
        changes: {
          get: '/drive/v3/changes',
          query: {
            ...place,
            pageToken: '{token}',
            pageSize: 1000,
            includeRemoved: true,
            fields: `nextPageToken,newStartPageToken,changes(removed,fileId,file(${fileFields}))`,
          },
        },
        page: { by: 'cursor', from: 'nextPageToken', send: 'query.pageToken' },
        items: 'changes',
        next: 'newStartPageToken',
        id: 'fileId',
        item: 'file',
        isGone: ({ removed, file }: { readonly removed: boolean; readonly file?: DriveFile }) =>
          removed || file?.trashed === true,
        isFolder: ({ file }: { readonly file?: DriveFile }) => file?.mimeType === folderType,
        errors: expiredToken,
      },
    },
  },
});
