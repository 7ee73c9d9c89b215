import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TroveError } from '@trove/core';

const chunkBytes = 256 * 1024;
const maxBytes = 2 * 1024 ** 3;

/** Buffers JSON values in a temporary file of up to 2 GiB, so the database does not wait for a slow consumer. */
export class JsonFileBuffer {
  readonly #file: FileHandle;
  #pending: string[] = [];
  #pendingChars = 0;
  #bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Unlinks the file at once, so a crash leaves nothing behind. */
  static async open(): Promise<JsonFileBuffer> {
    const path = join(tmpdir(), `trove-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new JsonFileBuffer(file);
  }

  async append(value: unknown): Promise<void> {
    const line = `${JSON.stringify(value)}\n`;
    this.#pending.push(line);
    this.#pendingChars += line.length;
    if (this.#pendingChars >= chunkBytes) await this.#flush();
  }

  /** Yields all values in the order of `append`. Can be called more than once. */
  async *values(): AsyncGenerator {
    await this.#flush();
    let remainder = Buffer.alloc(0);
    for (let at = 0; at < this.#bytes;) {
      const { bytesRead, buffer } = await this.#file.read(
        Buffer.alloc(chunkBytes),
        0,
        chunkBytes,
        at,
      );
      if (bytesRead === 0) return;
      at += bytesRead;
      const read = Buffer.concat([remainder, buffer.subarray(0, bytesRead)]);
      const end = read.lastIndexOf('\n') + 1;
      remainder = read.subarray(end);
      for (const line of read.toString('utf8', 0, end).split('\n'))
        if (line !== '') yield JSON.parse(line);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #flush(): Promise<void> {
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingChars = 0;
    if (text === '') return;
    const { bytesWritten } = await this.#file.write(text, this.#bytes);
    if (bytesWritten < Buffer.byteLength(text)) throw new Error('the disk is full');
    this.#bytes += bytesWritten;
    if (this.#bytes > maxBytes) {
      throw new TroveError(
        'not_supported',
        'A view, or a table without a key, has more than 2 GiB. Trove can read it only as a whole.',
        {
          suggestions: [
            'List the tables to include in the configuration, without this one, or give the table a key.',
          ],
        },
      );
    }
  }
}
