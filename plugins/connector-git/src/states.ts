import { isDeepStrictEqual } from 'node:util';

import { findStorage, type RepositoryStorage } from './local/storage.js';
import { Repository } from './repository.js';
import { type GitContext } from './context.js';

/** A repository with the shown commit; null if it has no commits. */
export interface RepositoryState {
  readonly repository: Repository;
  readonly tip: string | null;
}

/** Access to the current state of a repository. */
export interface RepositoryStates {
  /** Returns the newest state, for a sync. */
  latest(signal: AbortSignal): Promise<RepositoryState>;
  /** Returns the last known state without remote requests, for readers. */
  cached(signal: AbortSignal): Promise<RepositoryState>;
  /** Describes the state in one sentence. Throws `connector_unhealthy` for an unusable repository. */
  check(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

interface OpenRepository {
  readonly storage: RepositoryStorage;
  readonly repository: Repository;
}

/** The states of a local repository. Each sync inspects the repository again, as does the first call after a failure. */
export class LocalStates implements RepositoryStates {
  readonly #context: GitContext;
  #opened: Promise<OpenRepository> | null = null;

  constructor(context: GitContext) {
    this.#context = context;
  }

  latest(signal: AbortSignal): Promise<RepositoryState> {
    return this.#state(signal, this.#open());
  }

  cached(signal: AbortSignal): Promise<RepositoryState> {
    return this.#state(signal, this.#opened ?? this.#open());
  }

  async check(signal: AbortSignal): Promise<string> {
    const { tip } = await this.cached(signal);
    return tip === null
      ? 'A repository without commits.'
      : `A repository, at the commit ${tip.slice(0, 12)}.`;
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    await opened?.repository.close();
  }

  async #state(signal: AbortSignal, opening: Promise<OpenRepository>): Promise<RepositoryState> {
    signal.throwIfAborted();
    const { repository } = await opening;
    return { repository, tip: await repository.tip(signal) };
  }

  #open(): Promise<OpenRepository> {
    const opening = this.#openAfter(this.#opened);
    this.#opened = opening;
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = null;
    });
    return opening;
  }

  /** Keeps the open repository if its storage has not changed. */
  async #openAfter(before: Promise<OpenRepository> | null): Promise<OpenRepository> {
    const old = await before?.catch(() => null);
    try {
      const storage = await findStorage(this.#context);
      if (old && isDeepStrictEqual(old.storage, storage)) return old;
      const repository = await Repository.open(storage, this.#context);
      await old?.repository.close();
      return { storage, repository };
    } catch (error) {
      await old?.repository.close();
      throw error;
    }
  }
}
