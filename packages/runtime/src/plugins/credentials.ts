import { constants, type Stats } from 'node:fs';
import { open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { TroveError } from '@trove/core';
import { isOpenedAt, isWithin } from '@trove/core/local';
import { PathReader } from '../path-reader.js';

const maxFileBytes = 64 * 1024;
const fileLimitMs = 1000;

/** Secrets of the application itself: no reference in the configuration of a source leads to them. */
export interface DeniedSecrets {
  /** Absolute real paths of files and folders. */
  readonly places: readonly string[];
  /** Names of environment variables. */
  readonly variables: readonly string[];
}

export const noDeniedSecrets: DeniedSecrets = { places: [], variables: [] };

/** `env:NAME` or `file:/path`: refers to a secret instead of containing it. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && (value.startsWith('env:') || value.startsWith('file:'));
}

/** A secret as it was given or, of a reference, what that refers to. Throws `credential_error`, which names `place`. */
export function readSecret(
  place: string,
  given: string,
  deniedRoots: DeniedSecrets = noDeniedSecrets,
): Promise<string> {
  return isReference(given) ? resolveReference(place, given, deniedRoots) : Promise.resolve(given);
}

/** The secret that a reference refers to. `place` is named in errors. Throws `credential_error`. */
export async function resolveReference(
  place: string,
  reference: string,
  deniedRoots: DeniedSecrets = noDeniedSecrets,
): Promise<string> {
  if (reference.startsWith('env:'))
    return fromEnvironment(place, reference.slice('env:'.length), deniedRoots);
  const path = reference.slice('file:'.length);
  if (!isAbsolute(path) || path.startsWith('//')) {
    throw new TroveError('credential_error', `${place}: \`file:\` needs an absolute path`);
  }
  try {
    const files = new PathReader(fileLimitMs, (file) => readText(file, deniedRoots.places));
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

function fromEnvironment(place: string, name: string, { variables }: DeniedSecrets): string {
  // Windows takes names in any case.
  if (variables.some((deniedRoots) => deniedRoots.toUpperCase() === name.toUpperCase())) {
    throw new TroveError(
      'credential_error',
      `${place}: the environment variable ${name} is the server's own`,
      { suggestions: ['Put the secret of the source into a variable of its own.'] },
    );
  }
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  throw new TroveError('credential_error', `${place}: the environment variable ${name} is not set`);
}

/** The text of a regular file, without trailing white space. Opening anything else could block or have side effects. */
async function readText(path: string, deniedRoots: readonly string[]): Promise<string> {
  assertRegular(await stat(path));
  const real = await realpath(path);
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const found = await file.stat();
    assertRegular(found);
    if (!isOpenedAt(file.fd, real) || (await isDenied(real, found, deniedRoots)))
      throw new Error('it is a file of the application');
    const text = await readBytes(file, found.size);
    if (text === '') throw new Error('it is empty');
    return text;
  } finally {
    await file.close();
  }
}

/** Never more than the stated size of the file: files generated on reading, as in /proc, have size 0. */
async function readBytes(file: FileHandle, size: number): Promise<string> {
  if (size > maxFileBytes) throw new Error('it is too large');
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.toString('utf8', 0, length).trimEnd();
}

/** Whether a file is one of the deniedRoots, or lies in them; by another name, too. */
async function isDenied(
  real: string,
  { nlink, dev, ino }: Stats,
  deniedRoots: readonly string[],
): Promise<boolean> {
  if (deniedRoots.some((place) => isWithin(place, real))) return true;
  if (nlink === 1) return false;
  const files = await Promise.all(deniedRoots.map(statFiles));
  return files.flat().some((own) => own.dev === dev && own.ino === ino);
}

/** A file, or the files of a folder and its subfolders: secrets lie no deeper. */
async function statFiles(place: string, depth = 0): Promise<Stats[]> {
  const found = await stat(place).catch(() => null);
  if (found === null) return [];
  if (!found.isDirectory()) return [found];
  if (depth > 1) return [];
  const names = await readdir(place).catch(() => []);
  return (await Promise.all(names.map((name) => statFiles(join(place, name), depth + 1)))).flat();
}

function assertRegular(found: { isFile(): boolean }): void {
  if (!found.isFile()) throw new Error('it is no regular file');
}
