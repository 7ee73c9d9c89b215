import { Repository, type Context } from './repository.js';

/** A repository, and the commit that is shown of it; null when it has none. */
export interface State {
  readonly repository: Repository;
  readonly tip: string | null;
}

/** The states of a repository as time goes by. */
export interface States {
  /** As it is now, for a sync. */
  latest(signal: AbortSignal): Promise<State>;
  /** As it is known without asking anybody else, for readers. */
  known(signal: AbortSignal): Promise<State>;
  /** What can be said of it, in a sentence. Throws `connector_unhealthy` with what is wrong. */
  check(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** The states of a repository of this machine, which is opened when it is first needed, and again after a failure. */
export class LocalStates implements States {
  readonly #context: Context;
  #repository: Promise<Repository> | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  latest(signal: AbortSignal): Promise<State> {
    return this.known(signal);
  }

  async known(signal: AbortSignal): Promise<State> {
    signal.throwIfAborted();
    const opening = (this.#repository ??= Repository.open(this.#context));
    opening.catch(() => {
      if (this.#repository === opening) this.#repository = null;
    });
    const repository = await opening;
    return { repository, tip: await repository.tip(signal) };
  }

  async check(signal: AbortSignal): Promise<string> {
    const { tip } = await this.known(signal);
    return tip === null
      ? 'A repository without commits.'
      : `A repository, at the commit ${tip.slice(0, 12)}.`;
  }

  async close(): Promise<void> {
    const repository = await this.#repository?.catch(() => null);
    repository?.close();
  }
}
