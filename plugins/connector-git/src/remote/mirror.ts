import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { withLock } from './lock.js';
import type { RemoteContext, RemoteGit } from './remote-git.js';

/** The ref of the shown commit. */
export const tipRef = 'refs/trove/tip';

const maxFetchMs = 3_600_000;
const pollMs = 500;
/** Each fetch with new objects adds a pack. */
const maxPacks = 50;

/** A local copy of a remote repository: its newest commits, with their files. */
export class Mirror {
  readonly gitDir: string;
  readonly #folder: string;
  readonly #git: RemoteGit;
  readonly #context: RemoteContext;

  constructor(folder: string, git: RemoteGit, context: RemoteContext) {
    this.#folder = folder;
    this.gitDir = join(folder, 'mirror.git');
    this.#git = git;
    this.#context = context;
  }

  async exists(): Promise<boolean> {
    return (await this.#depth()) > 0;
  }

  /** Returns the size of the copy in bytes, including a running fetch. */
  async size(): Promise<number> {
    const packs = join(this.gitDir, 'objects/pack');
    const names = await readdir(packs).catch(() => []);
    const sizes = names.map((name) =>
      stat(join(packs, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  /** Fetches new commits. The copy stays usable if the fetch fails. */
  async fetch(signal: AbortSignal): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await withLock(join(this.#folder, 'fetching'), signal, async () => {
      await this.#create(signal);
      await this.#deleteLeftovers();
      const needed = this.#context.config.commits + 1;
      // Later fetches pass no depth, because cutting the history again would make earlier history look shorter.
      const isDeepEnough = (await this.#depth()) >= needed;
      await this.#withinLimits(signal, (limited) =>
        this.#fetchRef(isDeepEnough ? [] : [`--depth=${needed}`], limited),
      );
      if (!isDeepEnough) await writeFile(this.#depthFile, String(needed));
      if ((await this.#packs()) > maxPacks)
        await this.#run(['-c', 'gc.autoDetach=false', 'gc', '--quiet'], signal);
    });
  }

  async #packs(): Promise<number> {
    const names = await readdir(join(this.gitDir, 'objects/pack'));
    return names.filter((name) => name.endsWith('.pack')).length;
  }

  get #depthFile(): string {
    return join(this.gitDir, 'trove-depth');
  }

  /** Returns the number of commits that the first fetch requested; 0 before it. */
  async #depth(): Promise<number> {
    return Number(await readFile(this.#depthFile, 'utf8').catch(() => '0'));
  }

  async #create(signal: AbortSignal): Promise<void> {
    const isCreated = await stat(join(this.gitDir, 'HEAD')).then(
      () => true,
      () => false,
    );
    if (isCreated) return;
    const temporary = join(this.#folder, `making-${randomUUID()}`);
    const args = ['init', '--quiet', '--bare', '--template=', temporary];
    await this.#git.text(args, this.#folder, { signal });
    await rm(this.gitDir, { recursive: true, force: true });
    await rename(temporary, this.gitDir);
  }

  /** Deletes files of dead processes. No other process uses the folder while the lock is held. */
  async #deleteLeftovers(): Promise<void> {
    const paths = await readdir(this.gitDir, { recursive: true });
    const leftovers = paths.filter((path) => /\.lock$|(^|\/)(tmp_|incoming-)[^/]*$/.test(path));
    await Promise.all(
      leftovers.map((path) => rm(join(this.gitDir, path), { recursive: true, force: true })),
    );
    const unfinished = (await readdir(this.#folder)).filter((name) => name.startsWith('making-'));
    await Promise.all(
      unfinished.map((name) => rm(join(this.#folder, name), { recursive: true, force: true })),
    );
  }

  async #fetchRef(depth: readonly string[], signal: AbortSignal): Promise<void> {
    const { ref } = this.#context.config;
    const { url } = this.#git.address;
    try {
      await this.#run(
        [
          'fetch',
          '--quiet',
          '--no-tags',
          '--no-write-fetch-head',
          '--no-auto-maintenance',
          ...depth,
          '--',
          url,
          `+${ref}:${tipRef}`,
        ],
        signal,
      );
    } catch (error) {
      if (ref !== 'HEAD' || !(await this.#git.isEmpty(this.#folder, signal))) throw error;
      await this.#run(['update-ref', '-d', tipRef], signal);
    }
  }

  /** Stops the work if it takes too long or the copy grows too large. */
  async #withinLimits(
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { error, config } = this.#context;
    const done = new AbortController();
    const exceeded = new AbortController();
    const watch = async (): Promise<void> => {
      for (let waited = 0; !done.signal.aborted; waited += pollMs) {
        await delay(pollMs, undefined, { signal: done.signal });
        const problem =
          waited > maxFetchMs
            ? 'takes more than an hour to fetch'
            : (await this.size()) > config.max_bytes
              ? `is larger than ${config.max_bytes} bytes`
              : null;
        if (problem === null) continue;
        exceeded.abort(
          error('connector_unhealthy', `The repository ${problem}.`, {
            suggestions: ['Raise `max_bytes`, or lower `commits` to fetch fewer.'],
          }),
        );
        return;
      }
    };
    const watching = watch().catch(() => undefined);
    try {
      await work(AbortSignal.any([signal, exceeded.signal]));
    } finally {
      done.abort();
      await watching;
    }
  }

  async #run(args: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#git.text([`--git-dir=${this.gitDir}`, ...args], this.#folder, { signal });
  }
}
