import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TroveError } from '@trove/core';

/** A range of a temporary file, in bytes. */
export interface FileRange {
  readonly start: number;
  readonly size: number;
}

const maxReadBytes = 64 * 1024;

/**
 * A temporary file buffer. The file is unlinked while open, so the system frees it even if the process is
 * killed.
 */
export class TemporaryFile {
  readonly #file: FileHandle;
  #end = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates the file in the system's temporary folder. Throws `storage_unavailable` or `disk_full`. */
  static async open(): Promise<TemporaryFile> {
    const path = join(tmpdir(), `trove-${randomUUID()}`);
    const file = await onDisk(open(path, 'wx+', 0o600));
    await unlink(path);
    return new TemporaryFile(file);
  }

  /** Appends pieces. Calls must not overlap. Throws `storage_unavailable` or `disk_full`. */
  async append(pieces: AsyncIterable<Uint8Array>): Promise<FileRange> {
    const start = this.#end;
    for await (const piece of pieces) {
      const { length } = piece;
      for (let at = 0; at < length;) {
        const { bytesWritten } = await onDisk(this.#file.write(piece, at, length - at, this.#end));
        at += bytesWritten;
        this.#end += bytesWritten;
      }
    }
    return { start, size: this.#end - start };
  }

  /** Reads a range. Throws `storage_unavailable` or `disk_full`. */
  async *read({ start, size }: FileRange): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < size;) {
      const piece = new Uint8Array(Math.min(maxReadBytes, size - at));
      const { bytesRead } = await onDisk(this.#file.read(piece, 0, piece.length, start + at));
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new TroveError(
      isFull(cause) ? 'disk_full' : 'storage_unavailable',
      'The upload cannot be written to a temporary file',
      {
        cause,
        suggestions: [
          'Free space in the folder for temporary files, or set TMPDIR to another folder.',
        ],
      },
    );
  }
}

function isFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
