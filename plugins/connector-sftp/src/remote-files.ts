import { rejectOnAbort } from '@trove/connector-kit';
import { TroveError, type ByteRange } from '@trove/core';
import type { FileEntryWithStats, Stats } from 'ssh2';

import type { SftpConnection } from './connection.js';

const endOfFile = 1;
/** Servers answer larger requests only in part. */
const pieceBytes = 32 * 1024;
/** Requests that are sent before the first answer, because a connection over a distance would wait for each. */
const maxRequests = 16;

/** Files and folders of the other machine. Paths are relative to the root of the source. */
export class RemoteFiles {
  readonly #connection: SftpConnection;
  /** The real path of the root. */
  #root: Promise<string> | null = null;

  constructor(connection: SftpConnection) {
    this.#connection = connection;
  }

  /** Returns the real absolute path of the root. */
  root(signal: AbortSignal): Promise<string> {
    if (this.#root !== null) return this.#root;
    const root = this.#realPath(this.#connection.location.path || '.', '', signal);
    this.#root = root;
    root.catch(() => (this.#root = null));
    return root;
  }

  /** Returns the path in the source that a path really leads to; null for a place outside the source. */
  async realPath(path: string, signal: AbortSignal): Promise<string | null> {
    if (path !== '' && /(^|\/)\.{0,2}(\/|$)|\0/.test(path))
      throw new TroveError('not_found', `There is nothing at "${path.slice(0, 200)}".`);
    const root = await this.root(signal);
    const real = await this.#realPath(join(root, path), path, signal);
    if (real === root) return '';
    const prefix = root === '/' ? '/' : `${root}/`;
    return real.startsWith(prefix) ? real.slice(prefix.length) : null;
  }

  /** Throws `path_not_allowed` for a place outside the source. */
  async stat(path: string, signal: AbortSignal): Promise<Stats> {
    const full = await this.#inside(path, signal);
    return this.#connection.request<Stats>(path, signal, (sftp, done) => sftp.stat(full, done));
  }

  /** Yields the members of a folder in batches, as the server sends them. */
  async *members(
    path: string,
    signal: AbortSignal,
  ): AsyncGenerator<readonly FileEntryWithStats[], void, undefined> {
    const full = await this.#inside(path, signal);
    const handle = await this.#connection.request<Buffer>(path, signal, (sftp, done) =>
      sftp.opendir(full, done),
    );
    try {
      for (;;) {
        const batch = await this.#connection.request<readonly FileEntryWithStats[] | null>(
          path,
          signal,
          (sftp, done) =>
            sftp.readdir(handle, (error, list) =>
              isEnd(error) ? done(null, null) : done(error, list),
            ),
        );
        if (batch === null) return;
        yield batch;
      }
    } finally {
      await this.#close(handle);
    }
  }

  /** Yields the bytes of a file, or of a range of it. */
  async *read(
    path: string,
    { start, end = Infinity }: ByteRange,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const full = await this.#inside(path, signal);
    const handle = await this.#connection.request<Buffer>(path, signal, (sftp, done) =>
      sftp.open(full, 'r', done),
    );
    const pending: Promise<Buffer>[] = [];
    try {
      let next = start;
      for (;;) {
        while (pending.length < maxRequests && next < end) {
          const piece = this.#readPiece(handle, path, next, Math.min(pieceBytes, end - next));
          // It is awaited in its turn, or never if the caller stops early.
          piece.catch(() => undefined);
          pending.push(piece);
          next += pieceBytes;
        }
        const first = pending.shift();
        if (first === undefined) return;
        const piece = await rejectOnAbort(first, signal);
        if (piece.length === 0) return;
        yield piece;
        if (piece.length < pieceBytes) return;
      }
    } finally {
      // A caller that stops early does not wait for the requests under way.
      void Promise.allSettled(pending).then(() => this.#close(handle));
    }
  }

  /** Reads until the piece is complete or the file ends. */
  async #readPiece(
    handle: Buffer,
    path: string,
    position: number,
    length: number,
  ): Promise<Buffer> {
    const { signal } = new AbortController();
    const buffer = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const count = await this.#connection.request<number>(path, signal, (sftp, done) =>
        sftp.read(handle, buffer, filled, length - filled, position + filled, (error, bytesRead) =>
          isEnd(error) ? done(null, 0) : done(error, bytesRead),
        ),
      );
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }

  async #close(handle: Buffer): Promise<void> {
    const { signal } = new AbortController();
    const closed = this.#connection.request<void>('', signal, (sftp, done) =>
      sftp.close(handle, (error) => done(error, undefined)),
    );
    // The server frees the handle with the connection.
    await closed.catch(() => undefined);
  }

  async #inside(path: string, signal: AbortSignal): Promise<string> {
    const real = await this.realPath(path, signal);
    if (real !== null) return join(await this.root(signal), real);
    throw new TroveError(
      'path_not_allowed',
      `"${path.slice(0, 200)}" leads to a place outside the source.`,
    );
  }

  #realPath(full: string, path: string, signal: AbortSignal): Promise<string> {
    return this.#connection.request<string>(path, signal, (sftp, done) =>
      sftp.realpath(full, done),
    );
  }
}

function join(root: string, path: string): string {
  if (path === '') return root;
  return root === '/' ? `/${path}` : `${root}/${path}`;
}

function isEnd(error: Error | undefined | null): boolean {
  return error instanceof Error && 'code' in error && error.code === endOfFile;
}
