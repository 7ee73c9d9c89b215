import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseUri } from '@trove/core';
import type { ConnectorContext, Infer } from '@trove/core';

import type { configSchema } from './config.js';
import type { MakeError } from './failures.js';
import { Git } from './git.js';
import { ObjectBatch, type GitObject } from './object-batch.js';

export type Context = ConnectorContext<Infer<typeof configSchema>>;

type Opening = Pick<Context, 'config' | 'error' | 'signal'>;

/** Larger contents are streamed by a git of their own, so that nobody waits for whoever takes them. */
const inOnePiece = 1024 * 1024;
const refsNamed = 5;

/** Where a repository takes objects from that are none of its own. */
async function alternates(git: Git, gitDir: string, signal: AbortSignal): Promise<string[]> {
  const args = ['-c', 'core.quotePath=false', `--git-dir=${gitDir}`, 'count-objects', '-v'];
  const said = (await git.text(args, { signal })).split('\n');
  const label = 'alternate: ';
  return said.filter((line) => line.startsWith(label)).map((line) => line.slice(label.length));
}

/** Throws `path_not_allowed` unless a place of this machine may be read. Git quotes names that could hide where it is. */
function assertAllowed({ withheld, allowedRoots, error }: Context, place: string): void {
  const isIn = (folder: string): boolean =>
    `${place}/`.startsWith(folder === '/' ? '/' : `${folder}/`);
  if (withheld.some(isIn))
    throw error('path_not_allowed', "Trove's own files are never part of a source.");
  const isAnywhere = allowedRoots.length === 0 && !place.startsWith('"');
  if (isAnywhere || allowedRoots.some(isIn)) return;
  throw error(
    'path_not_allowed',
    `The repository is, or has objects, in ${place}: that is outside the folders that may be added.`,
  );
}

/** A repository at one ref, whose files are on this machine. It is read in place, and nothing is ever written to it. */
export class Repository {
  readonly git: Git;
  readonly #gitDir: string;
  readonly #ref: string;
  /** Names the ref for people. */
  readonly #shownRef: string;
  readonly #error: MakeError;
  readonly #facts: ObjectBatch;
  readonly #contents: ObjectBatch;
  readonly #ending = new AbortController();

  private constructor(git: Git, gitDir: string, ref: string, { config, error, signal }: Opening) {
    this.git = git;
    this.#gitDir = gitDir;
    this.#ref = ref;
    this.#shownRef = config.ref;
    this.#error = error;
    const ending = AbortSignal.any([signal, this.#ending.signal]);
    this.#facts = new ObjectBatch(git, gitDir, 'facts', ending);
    this.#contents = new ObjectBatch(git, gitDir, 'contents', ending);
  }

  /** Throws `connector_unhealthy` when there is none, and `path_not_allowed` for one of Trove's own. */
  static async open(context: Context): Promise<Repository> {
    const { target, error, signal } = context;
    const path = parseUri(target).path || '/';
    const folder = await realpath(path).catch(() => null);
    if (folder === null || !(await stat(folder)).isDirectory()) {
      throw error('connector_unhealthy', `There is no folder ${path}.`, {
        suggestions: ['Give the folder that has .git in it, or a bare repository.'],
      });
    }
    const git = new Git(error);
    // Without a ceiling, git would take the repository of an outer folder; and it checks the owner only while it looks.
    const found = await git.text(
      ['-C', folder, 'rev-parse', '--absolute-git-dir', '--git-common-dir'],
      { signal, environment: { GIT_CEILING_DIRECTORIES: dirname(folder) } },
    );
    const [gitDir = '', common = ''] = found.split('\n');
    const objects = await alternates(git, gitDir, signal);
    for (const place of [gitDir, resolve(folder, common), ...objects])
      assertAllowed(context, await realpath(place).catch(() => place));
    return new Repository(git, gitDir, context.config.ref, context);
  }

  /** A copy of the connector's own, which shows what one of its refs is at. */
  static mirror(gitDir: string, ref: string, context: Opening): Repository {
    return new Repository(new Git(context.error), gitDir, ref, context);
  }

  args(...args: readonly string[]): string[] {
    return [`--git-dir=${this.#gitDir}`, ...args];
  }

  /** The id of the commit at the ref, null for a repository without any commit. Throws `connector_unhealthy`. */
  async tip(signal: AbortSignal): Promise<string | null> {
    signal.throwIfAborted();
    const commit = await this.#facts.ask(`${this.#ref}^{commit}`);
    if (commit !== null) return commit.id;
    const args = this.args('for-each-ref', `--count=${refsNamed}`, '--format=%(refname:short)');
    const names = (await this.git.text(args, { signal })).split('\n').filter((name) => name !== '');
    const isUnborn = this.#ref === 'HEAD' || this.#ref !== this.#shownRef;
    if (names.length === 0 && isUnborn) return null;
    const there = names.length === 0 ? 'It has no commits.' : `There are: ${names.join(', ')} …`;
    throw this.#error(
      'connector_unhealthy',
      this.#shownRef === 'HEAD'
        ? 'What is checked out in the repository has no commit.'
        : `The repository has no branch, tag or commit "${this.#shownRef}".`,
      { suggestions: [`Set \`ref\` in the configuration to one that exists. ${there}`] },
    );
  }

  /** The object with an id, or with a name that git understands; null when there is none. */
  facts(name: string): Promise<GitObject | null> {
    return this.#facts.ask(name);
  }

  /** A small object with its bytes. */
  contents(id: string): Promise<GitObject | null> {
    return this.#contents.ask(id);
  }

  /** The bytes of a blob, in pieces when it is large. */
  async blob(
    { id, size }: Pick<GitObject, 'id' | 'size'>,
    signal: AbortSignal,
  ): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
    if (size > inOnePiece) return this.git.bytes(this.args('cat-file', 'blob', id), { signal });
    const { bytes } = (await this.contents(id)) ?? {};
    if (bytes !== undefined) return bytes;
    throw this.#error('connector_unhealthy', `The object ${id} is missing from the repository.`, {
      suggestions: [
        'The clone may be partial or damaged: `git fetch --refetch` in it gets all objects.',
      ],
    });
  }

  close(): void {
    this.#ending.abort();
  }
}
