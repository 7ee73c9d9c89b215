import { createHash } from 'node:crypto';

import { openAt } from '@trove/core/local';

/** The state of a database's files, without reading the database. */
export interface FileState {
  /** Changes with every committed transaction. */
  readonly stamp: string;
  /** Whether a write-ahead log exists, which another process may be writing. */
  readonly hasLog: boolean;
  readonly usesLog: boolean;
}

const headerBytes = 100;
const formatAt = 18;
const writeAheadLog = 2;

/** Throws the file system error if the file is missing or unreadable. */
export async function stateOf(path: string): Promise<FileState> {
  const [file, log] = await Promise.all([
    factsOf(path),
    factsOf(`${path}-wal`).catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw error;
    }),
  ]);
  // An empty log is left over from a reader.
  const parts = [file, ...(log === null || log.size === 0n ? [] : [log])].map(
    ({ inode, size, modifiedAt, header }) =>
      `${inode} ${size} ${modifiedAt} ${header.toString('hex')}`,
  );
  return {
    stamp: createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32),
    hasLog: log !== null,
    usesLog: file.header[formatAt] === writeAheadLog,
  };
}

interface FileFacts {
  readonly inode: bigint;
  readonly size: bigint;
  readonly modifiedAt: bigint;
  /** Contains the counters that SQLite increments with each change. */
  readonly header: Buffer;
}

async function factsOf(path: string): Promise<FileFacts> {
  const file = await openAt(path);
  try {
    const { ino, size, mtimeNs } = await file.stat({ bigint: true });
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    return { inode: ino, size, modifiedAt: mtimeNs, header: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
