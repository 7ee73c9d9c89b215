import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openFolder, type BucketFolder } from '@trove/connector-s3/store';
import { isTroveError, TroveError } from '@trove/core';
import { delay } from '@trove/runtime';
import { manifestName } from './manifest.js';

const maxTransfers = 4;
const maxAttempts = 5;
/** The pause before the second attempt. Each further pause is twice as long. */
const firstPauseMs = 500;

export function isBucket(place: string): boolean {
  return /^(?:s3|gs):\/\//.test(place);
}

/** Throws `validation_error` unless the folder of a bucket is empty. */
export async function assertEmptyBucket(uri: string, signal: AbortSignal): Promise<void> {
  for await (const name of openFolder(uri).list(signal))
    throw new TroveError('validation_error', `to: ${uri} is not empty: it has ${name}`, {
      suggestions: ['Name a new folder of the bucket.'],
    });
}

/** Writes a backup to a folder in the home, and then to a bucket. Removes the folder. */
export async function writeToBucket<T>(
  uri: string,
  home: string,
  signal: AbortSignal,
  write: (folder: string) => Promise<T>,
): Promise<T> {
  const staging = await mkdtemp(join(home, 'backup-'));
  try {
    const result = await write(staging);
    const bucket = openFolder(uri);
    const names = await filesBelow(staging);
    await transfer(
      names.filter((name) => name !== manifestName),
      (name) => bucket.put(name, join(staging, name), signal),
      signal,
    );
    // Last, because a backup without it is incomplete.
    await transfer([manifestName], (name) => bucket.put(name, join(staging, name), signal), signal);
    return result;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Reads a backup from a bucket into a new folder. */
export async function readFromBucket(
  uri: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const bucket: BucketFolder = openFolder(uri);
  const names: string[] = [];
  for await (const name of bucket.list(signal)) {
    if (name.split('/').includes('..'))
      throw new TroveError('storage_unavailable', `${uri} has the unsafe name ${name}`);
    names.push(name);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const receive = async (name: string): Promise<void> => {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await bucket.get(name, file, signal);
  };
  await transfer(names, receive, signal);
}

async function transfer(
  names: readonly string[],
  send: (name: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const left = [...names];
  const work = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop())
      await sendOne(name, send, signal);
  };
  await Promise.all(Array.from({ length: maxTransfers }, work));
}

/** Retries a transfer, except after a permanent error. */
async function sendOne(
  name: string,
  send: (name: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(name);
    } catch (error) {
      const isPermanent = isTroveError(error) && !error.retryable;
      if (isPermanent || attempt === maxAttempts || signal.aborted) throw error;
    }
    await delay(firstPauseMs * 2 ** (attempt - 1), signal);
  }
}

async function filesBelow(folder: string, below = ''): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) names.push(...(await filesBelow(folder, name)));
    else names.push(name);
  }
  return names;
}
