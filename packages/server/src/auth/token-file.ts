import { randomBytes, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, link, readFile, rm, writeFile } from 'node:fs/promises';
import { messageOf, TroveError } from '@trove/core';

/**
 * Returns the token in the file, and creates the file if it does not exist. Only its owner can read it.
 * Concurrent processes get the same token. Throws `storage_unavailable`.
 */
export async function ensureToken(file: string): Promise<string> {
  try {
    return (await readToken(file)) ?? (await createToken(file));
  } catch (cause) {
    if (cause instanceof TroveError) throw cause;
    const reason = messageOf(cause);
    throw new TroveError('storage_unavailable', `The token file cannot be used: ${reason}`, {
      cause,
    });
  }
}

async function createToken(file: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
    await publish(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  const token = await readToken(file);
  if (token === null) throw new Error(`${file} was deleted during its creation`);
  return token;
}

/** Publishes the draft, unless another process was first. */
async function publish(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    // Some file systems have no hard links.
    await copyFile(draft, file, constants.COPYFILE_EXCL).catch((copyError: unknown) => {
      if (codeOf(copyError) !== 'EEXIST') throw copyError;
    });
  }
}

async function readToken(file: string): Promise<string | null> {
  let token: string;
  try {
    token = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  if (token === '') {
    throw new TroveError('storage_unavailable', `The token file ${file} is empty`, {
      suggestions: ['Delete the file. The server then creates a new token.'],
    });
  }
  await chmod(file, 0o600);
  return token;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
