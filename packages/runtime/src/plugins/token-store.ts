import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TroveError } from '@trove/core';
import { delay } from '../abort.js';

/** A token that took the place of what the configuration gives. */
export interface RefreshedToken {
  /** A digest of what the configuration gave: another one replaces the token. */
  readonly configuredHash: string;
  readonly token: string;
}

type TokensByName = Readonly<Record<string, RefreshedToken>>;

/** Whoever holds the lock for longer has died: renewing ends before. */
const maxLockAgeMs = 120_000;
const pollMs = 50;

/** The tokens of one source, in a file that only its owner can read, shared by the processes of a machine. */
export class TokenStore {
  readonly #file: string | null;
  #inMemory: TokensByName = {};

  /** `file`: an absolute path. Null: they last as long as this object. */
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

  /** Runs `work` while no other process of this machine does so for this source. */
  async withLock<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#file === null) return work();
    const lock = `${this.#file}.lock`;
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
      throw new TroveError('credential_error', 'The kept tokens of the source cannot be read', {
        cause: error,
        suggestions: ['Remove its file in the folder `credentials` of the home, and log in anew.'],
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
    // After the clock was set back, a lock that was left seems to come from the future.
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
