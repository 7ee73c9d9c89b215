import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { withLock } from './lock.js';
import type { RemoteContext, RemoteGit } from './remote-git.js';

/** Where the commit that is shown is kept. */
export const tipRef = 'refs/trove/tip';

const maxFetchMs = 3_600_000;
const pollMs = 500;
/** Each fetch that brings something adds one. */
const maxPacks = 50;

/** A copy of a repository of another host: its commits up to a depth, and what they hold. */
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

  /** Bytes that it holds, also of what is being fetched. */
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

  /** Gets what is new. What was there before stays usable, however this ends. */
  async fetch(signal: AbortSignal): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await withLock(join(this.#folder, 'fetching'), signal, async () => {
      await this.#make(signal);
      await this.#clean();
      const needed = this.#context.config.commits + 1;
      // Later what is new is added on top: cut anew, the history before would look shorter than it was.
      const isDeepEnough = (await this.#depth()) >= needed;
      await this.#withinLimits(signal, (limited) =>
        this.#get(isDeepEnough ? [] : [`--depth=${needed}`], limited),
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

  /** Commits from its tip, as they were asked for at first; 0 when nothing was fetched yet. */
  async #depth(): Promise<number> {
    return Number(await readFile(this.#depthFile, 'utf8').catch(() => '0'));
  }

  async #make(signal: AbortSignal): Promise<void> {
    const isMade = await stat(join(this.gitDir, 'HEAD')).then(
      () => true,
      () => false,
    );
    if (isMade) return;
    const made = join(this.#folder, `making-${randomUUID()}`);
    const args = ['init', '--quiet', '--bare', '--template=', made];
    await this.#git.text(args, this.#folder, { signal });
    await rm(this.gitDir, { recursive: true, force: true });
    await rename(made, this.gitDir);
  }

  /** What a process that died has left: nobody else is here now. */
  async #clean(): Promise<void> {
    const found = await readdir(this.gitDir, { recursive: true });
    const left = found.filter((path) => /\.lock$|(^|\/)(tmp_|incoming-)[^/]*$/.test(path));
    await Promise.all(
      left.map((path) => rm(join(this.gitDir, path), { recursive: true, force: true })),
    );
    const aside = (await readdir(this.#folder)).filter((name) => name.startsWith('making-'));
    await Promise.all(
      aside.map((name) => rm(join(this.#folder, name), { recursive: true, force: true })),
    );
  }

  async #get(depth: readonly string[], signal: AbortSignal): Promise<void> {
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

  /** Stops the work when it takes too long, or the copy grows too large. */
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
            suggestions: ['Raise `max_bytes`, or show fewer `commits`: fewer are then fetched.'],
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
