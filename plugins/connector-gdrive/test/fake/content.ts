import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { notFound, problem } from './problems.js';
import type { DriveFile, DriveWorld } from './world.js';

/** The bytes of a file, or a range of them. */
export function contentAnswer(file: DriveFile, { headers }: FakeRequest): FakeAnswer {
  if (!file.canDownload)
    return problem(403, 'cannotDownloadFile', 'This file cannot be downloaded by the user.');
  if (file.mimeType.startsWith('application/vnd.google-apps.'))
    return problem(
      403,
      'fileNotDownloadable',
      'Only files with binary content can be downloaded. Use Export with Docs Editors files.',
    );
  const bytes = Buffer.from(file.content);
  const type = { 'content-type': file.mimeType };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers['range'] ?? '') ?? [];
  if (from === undefined) return { headers: type, body: bytes };
  const end = to === undefined || to === '' ? bytes.length : Math.min(Number(to) + 1, bytes.length);
  const range = `bytes ${from}-${end - 1}/${bytes.length}`;
  return {
    status: 206,
    headers: { ...type, 'content-range': range },
    body: bytes.subarray(Number(from), end),
  };
}

export function exportAnswer(world: DriveWorld, { query }: FakeRequest, id: string): FakeAnswer {
  const file = world.files.get(id);
  if (file === undefined) return notFound(id);
  if (!file.mimeType.startsWith('application/vnd.google-apps.'))
    return problem(403, 'fileNotExportable', 'Export only supports Docs Editors files.');
  if (!file.canDownload)
    return problem(403, 'cannotExportFile', 'This file cannot be exported by the user.');
  if (Buffer.byteLength(file.content) > world.maxExportBytes)
    return problem(403, 'exportSizeLimitExceeded', 'This file is too large to be exported.');
  return { headers: { 'content-type': query.get('mimeType') ?? '' }, body: file.content };
}
