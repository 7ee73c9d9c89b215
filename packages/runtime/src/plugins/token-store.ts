import { randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { TroveError } from '@trove/core';
import { withFileLock } from './file-lock.js';

/** A token that replaces the configured one. */
export interface RefreshedToken {
  /** SHA-256 of the configured token, or of an empty text without one. A new configured token replaces this one. */
  readonly configuredHash: string;
  readonly token: string;
}

type TokensByName = Readonly<Record<string, RefreshedToken>>;

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
    if (this.#file !== null) return withFileLock(this.#file, { pollMs, signal }, work);
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
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
