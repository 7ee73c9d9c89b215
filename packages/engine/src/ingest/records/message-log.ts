import { createHash } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '@trove/core';
import type { TaskFile } from '../tasks/task-files.js';

/** The limit of bytes in memory, after which they are written to the file. */
const maxMemoryBytes = 8 * 1024 * 1024;
const readBytes = 1024 * 1024;
const digestChars = 8;

/** The place of a line in a log. */
export interface LogLine {
  readonly at: number;
  readonly bytes: number;
}

/**
 * Appends JSON values to a file as lines, each with its digest, and reads them at their places. The last lines are in
 * memory. A log without a file has only these.
 */
export class MessageLog {
  readonly #target: TaskFile;
  #file: FileHandle | null = null;
  /** The size of the file, without the lines in memory. */
  #written: number;
  #maxBytes: number | null = null;
  readonly #pending = new Map<number, Buffer>();
  #pendingBytes = 0;
  #isFull = false;

  private constructor(target: TaskFile, written: number) {
    this.#target = target;
    this.#written = written;
  }

  static create(target: TaskFile): MessageLog {
    return new MessageLog(target, 0);
  }

  /**
   * Continues a log of at least this size, without what follows. Returns null if the file is shorter or has another
   * content.
   */
  static async reopen(
    target: TaskFile,
    bytes: number,
    onLine: (line: LogLine, value: unknown) => void,
  ): Promise<MessageLog | null> {
    if (bytes === 0) return MessageLog.create(target);
    if (target.path === null) return null;
    const file = await open(target.path, 'r+').catch(() => null);
    if (file === null) return null;
    const log = new MessageLog(target, bytes);
    log.#file = file;
    try {
      if (await readLines(file, bytes, onLine)) {
        await file.truncate(bytes);
        return log;
      }
    } catch {
      // An unreadable file is as good as none.
    }
    await log.close();
    return null;
  }

  /** Returns the place of the new line, or null if the log is full. */
  async append(value: unknown): Promise<LogLine | null> {
    if (this.#isFull) return null;
    const text = JSON.stringify(value);
    const line = Buffer.from(`${digestOf(text)}${text}\n`);
    const at = this.#written + this.#pendingBytes;
    if (this.#pendingBytes + line.length > maxMemoryBytes && !(await this.#spill(line.length)))
      return null;
    this.#pending.set(at, line);
    this.#pendingBytes += line.length;
    return { at, bytes: line.length };
  }

  /** Returns a value. Undefined if its line was changed or lost. */
  async read({ at, bytes }: LogLine): Promise<unknown> {
    const known = this.#pending.get(at);
    if (known !== undefined) return parseLine(known);
    try {
      const found = await this.#file?.read(Buffer.alloc(bytes), 0, bytes, at);
      return found?.bytesRead === bytes ? parseLine(found.buffer) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes all lines to the disk. Returns the size of the file, or null if it is incomplete. */
  async save(): Promise<number | null> {
    if (this.#isFull || this.#target.path === null || !(await this.#spill(0))) return null;
    try {
      await this.#file?.datasync();
      return this.#written;
    } catch (error) {
      return this.#fail(messageOf(error));
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  /** Writes the lines in memory to the file. Returns whether there is space for more bytes. */
  async #spill(more: number): Promise<boolean> {
    const { path } = this.#target;
    if (path === null) {
      this.#isFull = true;
      return false;
    }
    try {
      this.#maxBytes ??= await this.#target.maxBytes();
      const size = this.#written + this.#pendingBytes;
      if (size + more > this.#maxBytes) {
        this.#fail(`they have more than ${Math.floor(this.#maxBytes / 1024 ** 2)} MiB`);
        return false;
      }
      this.#file ??= await createFile(path);
      const lines = Buffer.concat([...this.#pending.values()]);
      await writeAll(this.#file, lines, this.#written);
      this.#written = size;
      this.#pending.clear();
      this.#pendingBytes = 0;
      return true;
    } catch (error) {
      this.#fail(messageOf(error));
      return false;
    }
  }

  #fail(reason: string): null {
    this.#isFull = true;
    this.#target.warn(reason);
    return null;
  }
}

async function createFile(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return open(path, 'w+', 0o600);
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    if (bytesWritten === 0) throw new Error('the disk is full');
    done += bytesWritten;
  }
}

/** Reads the lines of the first bytes of a file. Returns whether all are there and unchanged. */
async function readLines(
  file: FileHandle,
  bytes: number,
  onLine: (line: LogLine, value: unknown) => void,
): Promise<boolean> {
  let pieces: Buffer[] = [];
  let start = 0;
  for (let at = 0; at < bytes;) {
    const length = Math.min(readBytes, bytes - at);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
    if (bytesRead === 0) return false;
    let from = 0;
    for (
      let end = buffer.indexOf(10);
      end !== -1 && end < bytesRead;
      end = buffer.indexOf(10, from)
    ) {
      const line = Buffer.concat([...pieces, buffer.subarray(from, end + 1)]);
      const value = parseLine(line);
      if (value === undefined) return false;
      onLine({ at: start, bytes: line.length }, value);
      pieces = [];
      from = end + 1;
      start += line.length;
    }
    pieces.push(buffer.subarray(from, bytesRead));
    at += bytesRead;
  }
  return start === bytes;
}

/** Returns undefined for a line that does not match its digest. */
function parseLine(line: Buffer): unknown {
  const text = line.toString('utf8', digestChars, line.length - 1);
  return line.toString('latin1', 0, digestChars) === digestOf(text) ? JSON.parse(text) : undefined;
}

function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, digestChars);
}
