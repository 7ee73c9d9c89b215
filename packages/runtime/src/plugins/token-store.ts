import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TroveError } from '@trove/core';
import { delay } from '../abort.js';

/** A token that replaces the configured one. */
export interface RefreshedToken {
  /** SHA-256 of the configured token, or of an empty text without one. A new configured token replaces this one. */
  readonly configuredHash: string;
  readonly token: string;
}

type TokensByName = Readonly<Record<string, RefreshedToken>>;

/** A lock older than this belongs to a dead process, because a refresh times out earlier. */
const maxLockAgeMs = 120_000;
const pollMs = 50;

/**
 * Stores the refreshed tokens of one login in a file that only its owner can read. The sources with this login and the
 * processes of a machine share the file.
 */
export class TokenStore {
  readonly #file: string | null;
  #inMemory: TokensByName = {};
  /** Settles when the last caller of `withLock` so far is done. */
  #last: Promise<unknown> = Promise.resolve();

  /** `file` is an absolute path. With null, tokens are kept in memory. */
  constructor(file: string | null) {
    this.#file = file;
  }

  async get(name: string): Promise<RefreshedToken | undefined> {
    const tokens = await this.#read();
    return Object.hasOwn(tokens, name) ? tokens[name] : undefined;
  }

  async put(name: string, token: RefreshedToken): Promise<void> {
    const tokens = { ...(await this.#read()), [name]: token };
    if (this.#file === null) this.#inMemory = tokens;
    else await replaceFile(this.#file, JSON.stringify(tokens));
  }

  /** Runs `work` under a lock that all processes of this machine respect. */
  withLock<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#file !== null) return this.#withFileLock(this.#file, work, signal);
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #withFileLock<T>(path: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const lock = `${path}.lock`;
    await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
    while (!(await acquireLock(lock))) {
      signal.throwIfAborted();
      await delay(pollMs, signal);
    }
    try {
      return await work();
    } finally {
      await rm(lock, { force: true });
    }
  }

  async #read(): Promise<TokensByName> {
    if (this.#file === null) return this.#inMemory;
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `replaceFile` below has written it
      return JSON.parse(await readFile(this.#file, 'utf8')) as TokensByName;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return {};
      throw new TroveError('credential_error', 'The stored tokens of the login cannot be read', {
        cause: error,
        suggestions: ['Delete its file in the folder `credentials` of the home, and log in again.'],
      });
    }
  }
}

async function acquireLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const found = await stat(lock).catch(() => null);
    // The age can be negative, because the clock may have been set back.
    const age = Math.abs(Date.now() - (found?.mtimeMs ?? Date.now()));
    if (age > maxLockAgeMs) await rm(lock, { force: true });
    return false;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
