import {
  addResponseSchema,
  filesUploadQuerySchema,
  manifestRequestSchema,
  manifestResponseSchema,
  uploadQuerySchema,
  operationRights,
} from '@trove/engine/api';
import { jsonResponse } from '../response.js';
import { streamBody, streamedJsonBody } from '../body.js';
import { withCommands, withoutCommand } from '../exposure.js';
import { pluginErrors } from '../errors.js';
import { operation } from '../operation.js';

const archive = streamBody({
  types: ['application/x-tar', 'application/gzip', 'application/zstd', 'application/octet-stream'],
});
/** For 200,000 files. */
const maxManifestBytes = 64 * 1024 * 1024;
const errors = [
  ...pluginErrors,
  'upload_invalid',
  'sync_already_running',
  'connector_removing',
] as const;

export const uploadOperations = {
  uploadSource: operation({
    rights: operationRights.upload,
    method: 'POST',
    path: '/v1/upload',
    tag: 'Ingest',
    summary: 'Upload the files of a source as one archive and index them',
    description:
      'The body is a tar archive, optionally compressed with gzip or zstd. The source `file://NAME` then has exactly the ' +
      'files of the archive, and its other files are removed. An archive with links, devices, absolute paths, `..` or ' +
      'duplicate names is rejected without any change.',
    query: uploadQuerySchema,
    body: archive,
    response: jsonResponse('The job that syncs the source.', addResponseSchema),
    errors,
    exposure: withoutCommand('`trove add` sends only changed files, with `filesUpload`.'),
  }),
  filesManifest: operation({
    rights: operationRights.filesManifest,
    method: 'POST',
    path: '/v1/files/manifest',
    tag: 'Ingest',
    summary: 'Find the files that a machine must upload',
    description:
      'Compares sizes, times and inodes with the stored files of `file://CLIENT_ID/ROOT`. Does not register a source. The ' +
      'body may have up to 64 MiB.',
    body: streamedJsonBody(manifestRequestSchema, maxManifestBytes),
    response: jsonResponse('The differences.', manifestResponseSchema),
    errors: [],
    exposure: withCommands('add'),
  }),
  filesUpload: operation({
    rights: operationRights.uploadFiles,
    method: 'PUT',
    path: '/v1/files/upload',
    tag: 'Ingest',
    summary: 'Upload the changed files of a machine and index them',
    description:
      'The body is a tar archive, optionally compressed with gzip or zstd. Its first member is `.trove-meta.json`: ' +
      '`{hashes: [{path, sha1, size, mtime_ns, inode}], renames: [{old, new, sha1}], deletions: [path]}`. The other ' +
      'members are files from `hashes`, which may also list unchanged files. If server and client disagree about a file, ' +
      'the next manifest requests it.',
    query: filesUploadQuerySchema,
    body: archive,
    response: jsonResponse('The job that syncs the source.', addResponseSchema),
    errors,
    exposure: withCommands('add'),
  }),
};
