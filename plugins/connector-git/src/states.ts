import { isDeepStrictEqual } from 'node:util';

import { findStorage, type RepositoryStorage } from './local/storage.js';
import { Repository } from './repository.js';
import { type GitContext } from './context.js';

/** A repository, and the commit that is shown of it; null when it has none. */
export interface RepositoryState {
  readonly repository: Repository;
  readonly tip: string | null;
}

/** The states of a repository as time goes by. */
export interface RepositoryStates {
  /** As it is now, for a sync. */
  latest(signal: AbortSignal): Promise<RepositoryState>;
  /** As it is known without asking anybody else, for readers. */
  cached(signal: AbortSignal): Promise<RepositoryState>;
  /** What can be said of it, in a sentence. Throws `connector_unhealthy` with what is wrong. */
  check(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

interface OpenRepository {
  readonly survey: RepositoryStorage;
  readonly repository: Repository;
}

/** The states of a repository of this machine, which is looked at anew by each sync, and after a failure. */
export class LocalStates implements RepositoryStates {
  readonly #context: GitContext;
  #opened: Promise<OpenRepository> | null = null;

  constructor(context: GitContext) {
    this.#context = context;
  }

  latest(signal: AbortSignal): Promise<RepositoryState> {
    return this.#state(signal, this.#look());
  }

  cached(signal: AbortSignal): Promise<RepositoryState> {
    return this.#state(signal, this.#opened ?? this.#look());
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

  #look(): Promise<OpenRepository> {
    const opening = this.#openAfter(this.#opened);
    this.#opened = opening;
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = null;
    });
    return opening;
  }

  /** Keeps what is open if the repository is stored as before. */
  async #openAfter(before: Promise<OpenRepository> | null): Promise<OpenRepository> {
    const old = await before?.catch(() => null);
    try {
      const found = await findStorage(this.#context);
      if (old && isDeepStrictEqual(old.survey, found)) return old;
      const repository = await Repository.open(found, this.#context);
      await old?.repository.close();
      return { survey: found, repository };
    } catch (error) {
      await old?.repository.close();
      throw error;
    }
  }
}
