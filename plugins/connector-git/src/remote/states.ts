import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Repository } from '../repository.js';
import type { RepositoryState, RepositoryStates } from '../states.js';
import { Mirror, tipRef } from './mirror.js';
import { RemoteGit, type RemoteContext, type RemoteRef } from './remote-git.js';

/** How long a sync, or a reader, waits for a fetch before it is told to come back. */
const maxWait = { syncMs: 90_000, readerMs: 40_000 } as const;
const retryAfterMs = 5000;
/** A fetch that nobody has waited for in this time is given up. */
const abandonedMs = 60_000;
const checkTimeoutMs = 8000;

/** The states of a repository of another host: a sync fetches what is new, and everything else sees what the last one fetched. */
export class RemoteStates implements RepositoryStates {
  readonly #context: RemoteContext;
  readonly #git: RemoteGit;
  readonly #ending = new AbortController();
  #mirror: Promise<Mirror> | null = null;
  #repository: Repository | null = null;
  #fetching: SharedFetch | null = null;
  #temporary: string | null = null;

  constructor(context: RemoteContext) {
    this.#context = context;
    this.#git = new RemoteGit(context);
  }

  async latest(signal: AbortSignal): Promise<RepositoryState> {
    const until = performance.now() + maxWait.syncMs;
    // One that is under way may have begun before the last change.
    if (this.#fetching !== null) await this.#fetched(signal, maxWait.syncMs);
    await this.#fetched(signal, until - performance.now());
    return this.#state(signal);
  }

  async cached(signal: AbortSignal): Promise<RepositoryState> {
    signal.throwIfAborted();
    const mirror = await this.#opened();
    if (!(await mirror.exists())) await this.#fetched(signal, maxWait.readerMs);
    return this.#state(signal);
  }

  async check(signal: AbortSignal): Promise<string> {
    const late = AbortSignal.timeout(checkTimeoutMs);
    try {
      return await this.#look(AbortSignal.any([signal, late]));
    } catch (error) {
      signal.throwIfAborted();
      if (!late.aborted) throw error;
      throw this.#context.error(
        'connector_unhealthy',
        `${this.#git.address.host} did not answer within ${checkTimeoutMs / 1000} seconds.`,
        { suggestions: ['Check the target, and the network.'] },
      );
    }
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('the source is closed'));
    await this.#repository?.close();
    await this.#fetching?.ended.catch(() => undefined);
    if (this.#temporary !== null) await rm(this.#temporary, { recursive: true, force: true });
  }

  async #look(signal: AbortSignal): Promise<string> {
    const { ref } = this.#context.config;
    const home = tmpdir();
    // A commit is found by its id, or not, when it is fetched.
    const names = isId(ref)
      ? ['HEAD']
      : [ref, `refs/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`];
    const found = await this.#git.refs(home, signal, ...names);
    const [shown] = found.filter(({ name }) => names.includes(name));
    if (isId(ref)) return 'The repository answers.';
    if (shown !== undefined) return `The repository answers, at ${shown.id.slice(0, 12)}.`;
    if (await this.#git.isEmpty(home, signal)) {
      if (ref === 'HEAD') return 'The repository answers; it has no commits yet.';
      throw this.#noRef(ref, []);
    }
    throw this.#noRef(ref, await this.#git.refs(home, signal, 'refs/heads/*', 'refs/tags/*'));
  }

  #noRef(ref: string, refs: readonly RemoteRef[]): Error {
    const names = refs.slice(0, 5).map(({ name }) => name.replace(/^refs\/(?:heads|tags)\//, ''));
    const there = names.length === 0 ? 'It has no commits.' : `There are: ${names.join(', ')} …`;
    return this.#context.error(
      'connector_unhealthy',
      `The repository has no branch, tag or commit "${ref}".`,
      {
        suggestions: [`Set \`ref\` in the configuration to one that exists. ${there}`],
      },
    );
  }

  async #state(signal: AbortSignal): Promise<RepositoryState> {
    const { gitDir } = await this.#opened();
    this.#repository ??= Repository.mirror(gitDir, tipRef, this.#context);
    return { repository: this.#repository, tip: await this.#repository.tip(signal) };
  }

  #opened(): Promise<Mirror> {
    this.#mirror ??= this.#folder().then((folder) => new Mirror(folder, this.#git, this.#context));
    return this.#mirror;
  }

  /** Where nothing is to be kept, the copy goes when the source is closed. */
  async #folder(): Promise<string> {
    if (this.#context.cacheFolder !== undefined) return this.#context.cacheFolder;
    this.#temporary = await mkdtemp(join(await realpath(tmpdir()), 'trove-git-'));
    return this.#temporary;
  }

  /** Waits for a fetch that began after the call, or goes on from one that the same caller was told to come back for. */
  async #fetched(signal: AbortSignal, waitMs: number): Promise<void> {
    signal.throwIfAborted();
    const mirror = await this.#opened();
    const fetching = (this.#fetching ??= this.#begin(mirror));
    const outcome = await fetching.waitFor(signal, waitMs);
    if (outcome === 'ended') return;
    const megabytes = Math.round((await mirror.size()) / 1e6);
    throw this.#context.error(
      'connector_unhealthy',
      `The repository is still being fetched, ${megabytes} MB so far.`,
      { suggestions: ['Wait: it goes on.'], retryable: true, retryAfterMs },
    );
  }

  #begin(mirror: Mirror): SharedFetch {
    const fetching = new SharedFetch(
      (signal) => mirror.fetch(signal),
      AbortSignal.any([this.#context.signal, this.#ending.signal]),
    );
    const forget = (): void => {
      if (this.#fetching === fetching) this.#fetching = null;
    };
    fetching.ended.then(forget, forget);
    return fetching;
  }
}

function isId(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

/** A fetch that goes on when those who wait for it leave, for a while. */
class SharedFetch {
  readonly ended: Promise<void>;
  readonly #abandoned = new AbortController();
  #waiting = 0;
  #alone: NodeJS.Timeout | undefined;

  constructor(fetch: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) {
    this.ended = fetch(AbortSignal.any([signal, this.#abandoned.signal]));
    this.ended.catch(() => undefined);
  }

  /** Rejects as the fetch does, and with the signal's reason. */
  async waitFor(signal: AbortSignal, ms: number): Promise<'ended' | 'goes on'> {
    clearTimeout(this.#alone);
    this.#waiting++;
    const leaving = new AbortController();
    const either = AbortSignal.any([signal, leaving.signal]);
    try {
      return await Promise.race([
        this.ended.then(() => 'ended' as const),
        delay(ms, 'goes on' as const, { signal: either }),
      ]);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      leaving.abort();
      this.#waiting--;
      if (this.#waiting === 0) this.#leave(signal.aborted ? 0 : abandonedMs);
    }
  }

  #leave(ms: number): void {
    this.#alone = setTimeout(() => {
      if (this.#waiting === 0) this.#abandoned.abort(new Error('nobody waits for it any more'));
    }, ms).unref();
  }
}
