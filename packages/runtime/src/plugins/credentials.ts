import { constants, type Stats } from 'node:fs';
import { open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { TroveError } from '@trove/core';
import { isOpenedAt, isWithin } from '@trove/core/local';
import { PathReader } from '../path-reader.js';

const maxFileBytes = 64 * 1024;
const fileLimitMs = 1000;

/** Secrets of the application. References in the configuration of a source must not lead to them. */
export interface DeniedSecrets {
  /** Absolute real paths of files and folders. */
  readonly places: readonly string[];
  /** Names of environment variables. */
  readonly variables: readonly string[];
}

export const noDeniedSecrets: DeniedSecrets = { places: [], variables: [] };

/** Whether a value refers to a secret: `env:NAME` or `file:/path`. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && (value.startsWith('env:') || value.startsWith('file:'));
}

/**
 * Returns a literal secret unchanged, and resolves a reference. Throws `credential_error`, which names `place`.
 */
export function readSecret(
  place: string,
  given: string,
  denied: DeniedSecrets = noDeniedSecrets,
): Promise<string> {
  return isReference(given) ? resolveReference(place, given, denied) : Promise.resolve(given);
}

/** Resolves a reference. Throws `credential_error`, which names `place`. */
export async function resolveReference(
  place: string,
  reference: string,
  denied: DeniedSecrets = noDeniedSecrets,
): Promise<string> {
  if (reference.startsWith('env:'))
    return fromEnvironment(place, reference.slice('env:'.length), denied);
  const path = reference.slice('file:'.length);
  if (!isAbsolute(path) || path.startsWith('//')) {
    throw new TroveError('credential_error', `${place}: \`file:\` needs an absolute path`);
  }
  try {
    const files = new PathReader(fileLimitMs, (file) => readText(file, denied.places));
    return await files.read(path);
  } catch (cause) {
    // One message for all reasons, because it must not reveal which files exist.
    throw new TroveError(
      'credential_error',
      `${place}: the file cannot be read. \`file:\` needs a regular text file of at most 64 KiB`,
      { cause },
    );
  }
}

function fromEnvironment(place: string, name: string, { variables }: DeniedSecrets): string {
  // Variable names are case-insensitive on Windows.
  if (variables.some((variable) => variable.toUpperCase() === name.toUpperCase())) {
    throw new TroveError(
      'credential_error',
      `${place}: the environment variable ${name} belongs to the server`,
      { suggestions: ['Put the secret of the source into another variable.'] },
    );
  }
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  throw new TroveError('credential_error', `${place}: the environment variable ${name} is not set`);
}

/**
 * Reads a regular file and trims trailing white space. Other kinds of files could block or have side effects.
 */
async function readText(path: string, deniedPaths: readonly string[]): Promise<string> {
  assertRegular(await stat(path));
  const real = await realpath(path);
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const found = await file.stat();
    assertRegular(found);
    if (!isOpenedAt(file.fd, real) || (await isDenied(real, found, deniedPaths)))
      throw new Error('it is a file of the application');
    const text = await readBytes(file, found.size);
    if (text === '') throw new Error('it is empty');
    return text;
  } finally {
    await file.close();
  }
}

/** Reads at most the stated size. Generated files, as in /proc, have size 0. */
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

/** Whether a file is denied or lies in a denied folder, even under another name. */
async function isDenied(
  real: string,
  { nlink, dev, ino }: Stats,
  deniedPaths: readonly string[],
): Promise<boolean> {
  if (deniedPaths.some((place) => isWithin(place, real))) return true;
  if (nlink === 1) return false;
  const files = await Promise.all(deniedPaths.map(statFiles));
  return files.flat().some((own) => own.dev === dev && own.ino === ino);
}

/** Returns the file itself, or the files of a folder and its subfolders. Secrets lie no deeper. */
async function statFiles(place: string, depth = 0): Promise<Stats[]> {
  const found = await stat(place).catch(() => null);
  if (found === null) return [];
  if (!found.isDirectory()) return [found];
  if (depth > 1) return [];
  const names = await readdir(place).catch(() => []);
  return (await Promise.all(names.map((name) => statFiles(join(place, name), depth + 1)))).flat();
}

function assertRegular(found: { isFile(): boolean }): void {
  if (!found.isFile()) throw new Error('it is not a regular file');
}
