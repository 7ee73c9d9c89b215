import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isCommitId } from '../commit-id.js';
import { Repository } from '../repository.js';
import type { RepositoryState, RepositoryStates } from '../states.js';
import { Mirror, tipRef } from './mirror.js';
import { RemoteGit, type RemoteContext, type RemoteRef } from './remote-git.js';

/** Time that a sync or a reader waits for a fetch before it fails with a retryable error. */
const maxWait = { syncMs: 90_000, readerMs: 40_000 } as const;
const retryAfterMs = 5000;
/** A fetch is cancelled after this time without a waiting caller. */
const abandonedMs = 60_000;
const checkTimeoutMs = 8000;

/** The states of a remote repository. A sync fetches new commits. Readers use the state of the last fetch. */
export class RemoteStates implements RepositoryStates {
  readonly #context: RemoteContext;
  readonly #git: RemoteGit;
  readonly #closing = new AbortController();
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
    // A running fetch may have begun before the last change, so another one follows.
    if (this.#fetching !== null) await this.#waitForFetch(signal, maxWait.syncMs);
    await this.#waitForFetch(signal, until - performance.now());
    return this.#state(signal);
  }

  async cached(signal: AbortSignal): Promise<RepositoryState> {
    signal.throwIfAborted();
    const mirror = await this.#openMirror();
    if (!(await mirror.exists())) await this.#waitForFetch(signal, maxWait.readerMs);
    return this.#state(signal);
  }

  async check(signal: AbortSignal): Promise<string> {
    const timeout = AbortSignal.timeout(checkTimeoutMs);
    try {
      return await this.#describe(AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (!timeout.aborted) throw error;
      throw this.#context.error(
        'connector_unhealthy',
        `${this.#git.address.host} did not answer within ${checkTimeoutMs / 1000} seconds.`,
        { suggestions: ['Check the target and the network.'] },
      );
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the source is closed'));
    await this.#repository?.close();
    await this.#fetching?.ended.catch(() => undefined);
    if (this.#temporary !== null) await rm(this.#temporary, { recursive: true, force: true });
  }

  async #describe(signal: AbortSignal): Promise<string> {
    const { ref } = this.#context.config;
    const folder = tmpdir();
    // Only a fetch can show whether a commit id exists.
    const isId: boolean = isCommitId(ref);
    const names = isId ? ['HEAD'] : [ref, `refs/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`];
    const found = await this.#git.refs(folder, signal, ...names);
    const [current] = found.filter(({ name }) => names.includes(name));
    if (isId) return 'The repository answers.';
    if (current !== undefined) return `The repository answers, at ${current.id.slice(0, 12)}.`;
    if (await this.#git.isEmpty(folder, signal)) {
      if (ref === 'HEAD') return 'The repository answers; it has no commits yet.';
      throw this.#noRef(ref, []);
    }
    throw this.#noRef(ref, await this.#git.refs(folder, signal, 'refs/heads/*', 'refs/tags/*'));
  }

  #noRef(ref: string, refs: readonly RemoteRef[]): Error {
    const names = refs.slice(0, 5).map(({ name }) => name.replace(/^refs\/(?:heads|tags)\//, ''));
    const hint = names.length === 0 ? 'It has no commits.' : `There are: ${names.join(', ')} …`;
    return this.#context.error(
      'connector_unhealthy',
      `The repository has no branch, tag or commit "${ref}".`,
      {
        suggestions: [`Set \`ref\` in the configuration to one that exists. ${hint}`],
      },
    );
  }

  async #state(signal: AbortSignal): Promise<RepositoryState> {
    const { gitDir } = await this.#openMirror();
    this.#repository ??= Repository.mirror(gitDir, tipRef, this.#context);
    return { repository: this.#repository, tip: await this.#repository.tip(signal) };
  }

  #openMirror(): Promise<Mirror> {
    this.#mirror ??= this.#folder().then((folder) => new Mirror(folder, this.#git, this.#context));
    return this.#mirror;
  }

  /** Returns the folder of the copy. Without a folder of the source, the copy is deleted on close. */
  async #folder(): Promise<string> {
    if (this.#context.cacheFolder !== undefined) return this.#context.cacheFolder;
    this.#temporary = await mkdtemp(join(await realpath(tmpdir()), 'trove-git-'));
    return this.#temporary;
  }

  /** Waits for the running fetch, or begins one. Throws a retryable error if the fetch takes longer. */
  async #waitForFetch(signal: AbortSignal, waitMs: number): Promise<void> {
    signal.throwIfAborted();
    const mirror = await this.#openMirror();
    const fetching = (this.#fetching ??= this.#beginFetch(mirror));
    const outcome = await fetching.waitFor(signal, waitMs);
    if (outcome === 'ended') return;
    const megabytes = Math.round((await mirror.size()) / 1e6);
    throw this.#context.error(
      'connector_unhealthy',
      `The repository is still being fetched, ${megabytes} MB so far.`,
      { suggestions: ['Wait for the fetch to finish.'], retryable: true, retryAfterMs },
    );
  }

  #beginFetch(mirror: Mirror): SharedFetch {
    const fetching = new SharedFetch(
      (signal) => mirror.fetch(signal),
      AbortSignal.any([this.#context.signal, this.#closing.signal]),
    );
    const forget = (): void => {
      if (this.#fetching === fetching) this.#fetching = null;
    };
    fetching.ended.then(forget, forget);
    return fetching;
  }
}

/** A fetch that several callers wait for. It continues for a while after the last one has left. */
class SharedFetch {
  readonly ended: Promise<void>;
  readonly #abandoned = new AbortController();
  #waiters = 0;
  #abandonTimer: NodeJS.Timeout | undefined;

  constructor(fetch: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) {
    this.ended = fetch(AbortSignal.any([signal, this.#abandoned.signal]));
    this.ended.catch(() => undefined);
  }

  /** Rejects with the error of the fetch or the signal's reason. */
  async waitFor(signal: AbortSignal, ms: number): Promise<'ended' | 'running'> {
    clearTimeout(this.#abandonTimer);
    this.#waiters++;
    const leaving = new AbortController();
    const stop = AbortSignal.any([signal, leaving.signal]);
    try {
      return await Promise.race([
        this.ended.then(() => 'ended' as const),
        delay(ms, 'running' as const, { signal: stop }),
      ]);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      leaving.abort();
      this.#waiters--;
      if (this.#waiters === 0) this.#abandonAfter(signal.aborted ? 0 : abandonedMs);
    }
  }

  #abandonAfter(ms: number): void {
    this.#abandonTimer = setTimeout(() => {
      if (this.#waiters === 0) this.#abandoned.abort(new Error('no caller waits for the fetch'));
    }, ms).unref();
  }
}
