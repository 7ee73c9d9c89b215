import { isDeepStrictEqual } from 'node:util';

import { survey, type Survey } from './local/survey.js';
import { Repository } from './repository.js';
import { type Context } from './context.js';

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

interface Opened {
  readonly survey: Survey;
  readonly repository: Repository;
}

/** The states of a repository of this machine, which is looked at anew by each sync, and after a failure. */
export class LocalStates implements States {
  readonly #context: Context;
  #opened: Promise<Opened> | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  latest(signal: AbortSignal): Promise<State> {
    return this.#state(signal, this.#look());
  }

  known(signal: AbortSignal): Promise<State> {
    return this.#state(signal, this.#opened ?? this.#look());
  }

  async check(signal: AbortSignal): Promise<string> {
    const { tip } = await this.known(signal);
    return tip === null
      ? 'A repository without commits.'
      : `A repository, at the commit ${tip.slice(0, 12)}.`;
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    await opened?.repository.close();
  }

  async #state(signal: AbortSignal, opening: Promise<Opened>): Promise<State> {
    signal.throwIfAborted();
    const { repository } = await opening;
    return { repository, tip: await repository.tip(signal) };
  }

  #look(): Promise<Opened> {
    const opening = this.#openAfter(this.#opened);
    this.#opened = opening;
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = null;
    });
    return opening;
  }

  /** Keeps what is open if the repository is stored as before. */
  async #openAfter(before: Promise<Opened> | null): Promise<Opened> {
    const old = await before?.catch(() => null);
    try {
      const found = await survey(this.#context);
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
