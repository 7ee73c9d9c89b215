import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { TroveError } from '@trove/core';
import { PathReader } from '../path-reader.js';

const largestFile = 64 * 1024;
const fileLimitMs = 1000;

const files = new PathReader(fileLimitMs, readText);

/** `env:NAME` or `file:/path`: refers to a secret instead of containing it. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && (value.startsWith('env:') || value.startsWith('file:'));
}

/** A secret as it was given or, of a reference, what that refers to. Throws `credential_error`, which names `place`. */
export function secretOf(place: string, given: string): Promise<string> {
  return isReference(given) ? resolveReference(place, given) : Promise.resolve(given);
}

/** The secret that a reference refers to. `place` is named in errors. Throws `credential_error`. */
export async function resolveReference(place: string, reference: string): Promise<string> {
  if (reference.startsWith('env:')) return fromEnvironment(place, reference.slice('env:'.length));
  const path = reference.slice('file:'.length);
  if (!isAbsolute(path) || path.startsWith('//')) {
    throw new TroveError('credential_error', `${place}: \`file:\` needs an absolute path`);
  }
  try {
    return await files.read(path);
  } catch (cause) {
    // The same message for every reason, so that answers do not reveal which files exist.
    throw new TroveError(
      'credential_error',
      `${place}: the file cannot be used; \`file:\` reads regular files with text, of at most 64 KiB`,
      { cause },
    );
  }
}

function fromEnvironment(place: string, name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  throw new TroveError('credential_error', `${place}: the environment variable ${name} is not set`);
}

/** The text of a regular file, without trailing white space. Opening anything else could block or have side effects. */
async function readText(path: string): Promise<string> {
  assertRegular(await stat(path));
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const found = await file.stat();
    assertRegular(found);
    const text = await readBytes(file, found.size);
    if (text === '') throw new Error('it is empty');
    return text;
  } finally {
    await file.close();
  }
}

/** Never more than the stated size of the file: files generated on reading, as in /proc, have size 0. */
async function readBytes(file: FileHandle, size: number): Promise<string> {
  if (size > largestFile) throw new Error('it is too large');
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.toString('utf8', 0, length).trimEnd();
}

function assertRegular(found: { isFile(): boolean }): void {
  if (!found.isFile()) throw new Error('it is no regular file');
}
