import {
  addResponseSchema,
  filesUploadQuerySchema,
  manifestRequestSchema,
  manifestResponseSchema,
  uploadQuerySchema,
} from '@trove/engine/api';
import { jsonResponse } from '../response.js';
import { streamBody, streamedJsonBody } from '../body.js';
import { withCommands, withoutCommand } from '../exposure.js';
import { pluginErrors } from '../errors.js';
import { operation } from '../operation.js';

const archive = streamBody({
  types: ['application/x-tar', 'application/gzip', 'application/zstd', 'application/octet-stream'],
});
/** Of 200,000 files. */
const maxManifestBytes = 64 * 1024 * 1024;
const errors = [
  ...pluginErrors,
  'upload_invalid',
  'sync_already_running',
  'connector_removing',
] as const;

export const uploadOperations = {
  uploadSource: operation({
    method: 'POST',
    path: '/v1/upload',
    tag: 'Ingest',
    summary: 'Send the files of a source as one archive, and index them',
    description:
      'The body is a tar archive, as it is or compressed with gzip or zstd. The source is `file://NAME` and has exactly ' +
      'the files of the archive: others that it had are removed. Links, devices, absolute paths, `..` and names that are ' +
      'there twice are refused, and then nothing is changed.',
    query: uploadQuerySchema,
    body: archive,
    response: jsonResponse('The job that syncs the source.', addResponseSchema),
    errors,
    exposure: withoutCommand('`trove add` sends only what has changed, with `filesUpload`.'),
  }),
  filesManifest: operation({
    method: 'POST',
    path: '/v1/files/manifest',
    tag: 'Ingest',
    summary: 'What a machine has to send so that its files are on the server',
    description:
      'Compares sizes, times and inodes with the stored files of `file://CLIENT_ID/ROOT`, and registers nothing. The body ' +
      'may have 64 MiB.',
    body: streamedJsonBody(manifestRequestSchema, maxManifestBytes),
    response: jsonResponse('What differs.', manifestResponseSchema),
    errors: [],
    exposure: withCommands('add'),
  }),
  filesUpload: operation({
    method: 'PUT',
    path: '/v1/files/upload',
    tag: 'Ingest',
    summary: 'Send what has changed of the files of a machine, and index it',
    description:
      'The body is a tar archive, as it is or compressed with gzip or zstd. Its first member is `.trove-meta.json`: ' +
      '`{hashes: [{path, sha1, size, mtime_ns, inode}], renames: [{old, new, sha1}], deletions: [path]}`. The others are ' +
      'files named in `hashes`, where files that only look changed may be, too. Where server and client do not agree, the ' +
      'next manifest asks for the file.',
    query: filesUploadQuerySchema,
    body: archive,
    response: jsonResponse('The job that syncs the source.', addResponseSchema),
    errors,
    exposure: withCommands('add'),
  }),
};
