import { TroveError } from '@trove/core';

/** The error of an unacceptable upload. Nothing of it is kept. */
export function invalidUpload(detail: string): TroveError {
  return new TroveError('upload_invalid', detail);
}

export function uploadTooLarge(detail: string): TroveError {
  return new TroveError('payload_too_large', detail, {
    suggestions: [
      'Send less at a time, or raise [uploads].max_bytes in the server.toml of the server.',
    ],
  });
}

const maxNameChars = 200;

/** Quotes a name for a message. */
export function quoted(name: string): string {
  const short = name.length > maxNameChars ? `${name.slice(0, maxNameChars)}…` : name;
  return `"${short.replaceAll(/\p{C}/gu, '\ufffd')}"`;
}

const diskFaults: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'its disk is full'],
  ['EDQUOT', 'its disk quota is used up'],
  ['EROFS', 'its disk is read-only'],
  ['EIO', 'its disk fails'],
  ['EACCES', 'the server may not write there'],
  ['EPERM', 'the server may not write there'],
  ['EMFILE', 'too many files are open'],
]);

/** Converts a disk fault to an error for the uploader. Other errors stay unchanged unless `otherwise` explains them. */
export function explainDiskError(error: unknown, otherwise?: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = diskFaults.get(code) ?? otherwise;
  if (reason === undefined) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new TroveError(
    isFull ? 'disk_full' : 'storage_unavailable',
    `The server cannot store the upload: ${reason}`,
    {
      cause: error,
    },
  );
}
