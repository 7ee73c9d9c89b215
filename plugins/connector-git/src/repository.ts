import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { GitContext } from './context.js';
import type { GitErrorFactory } from './failures.js';
import { Git } from './git.js';
import { shallowFileOf } from './local/layout.js';
import { FileRefs, GitRefs, type Refs } from './local/refs.js';
import type { RepositoryStorage } from './local/storage.js';
import { createView } from './local/view.js';
import { ObjectReader, type GitObject } from './object-reader.js';

type RepositoryContext = Pick<GitContext, 'config' | 'error' | 'signal'>;

/** Larger contents are streamed by a git of their own, so that nobody waits for whoever takes them. */
const maxSinglePieceBytes = 1024 * 1024;
const maxShownRefs = 5;

interface RepositoryParts {
  readonly git: Git;
  /** Arguments that name the repository. */
  readonly gitArgs: readonly string[];
  readonly refs: Refs;
  /** Goes when the repository is closed; null for none. */
  readonly temporary: string | null;
}

/** A repository at one ref, whose files are on this machine. It is read in place, and nothing is ever written to it. */
export class Repository {
  readonly git: Git;
  readonly #named: readonly string[];
  readonly #refs: Refs;
  readonly #temporary: string | null;
  readonly #ref: string;
  /** Names the ref for people. */
  readonly #shownRef: string;
  readonly #error: GitErrorFactory;
  readonly #facts: ObjectReader;
  readonly #contents: ObjectReader;
  readonly #ending = new AbortController();

  private constructor(
    { git, gitArgs: named, refs, temporary }: RepositoryParts,
    ref: string,
    { config, error, signal }: RepositoryContext,
  ) {
    this.git = git;
    this.#named = named;
    this.#refs = refs;
    this.#temporary = temporary;
    this.#ref = ref;
    this.#shownRef = config.ref;
    this.#error = error;
    const ending = AbortSignal.any([signal, this.#ending.signal]);
    this.#facts = new ObjectReader(git, named, 'facts', ending);
    this.#contents = new ObjectReader(git, named, 'contents', ending);
  }

  /** A repository of this machine, of which git sees only objects, and refs where they are no plain files. */
  static async open(
    { layout, format }: RepositoryStorage,
    context: GitContext,
  ): Promise<Repository> {
    const { error, config, cacheFolder: folder } = context;
    const temporary =
      folder === undefined ? await mkdtemp(join(await realpath(tmpdir()), 'trove-git-')) : null;
    const view = await createView(folder ?? temporary ?? '', layout, format);
    const environment = {
      HOME: view,
      XDG_CONFIG_HOME: view,
      GIT_OBJECT_DIRECTORY: join(layout.commonDir, 'objects'),
      GIT_SHALLOW_FILE: shallowFileOf(layout),
    };
    const git = new Git(error, { environment });
    const named = [`--git-dir=${view}`];
    const refs = format.refs === 'files' ? new FileRefs(layout, error) : new GitRefs(git, named);
    return new Repository({ git, gitArgs: named, refs, temporary }, config.ref, context);
  }

  /** A copy of the connector's own, which shows what one of its refs is at. */
  static mirror(gitDir: string, ref: string, context: RepositoryContext): Repository {
    const git = new Git(context.error, { environment: { HOME: gitDir, XDG_CONFIG_HOME: gitDir } });
    const named = [`--git-dir=${gitDir}`];
    const refs = new GitRefs(git, named);
    return new Repository({ git, gitArgs: named, refs, temporary: null }, ref, context);
  }

  args(...args: readonly string[]): string[] {
    return [...this.#named, ...args];
  }

  /** The id of the commit at the ref, null for a repository without any commit. Throws `connector_unhealthy`. */
  async tip(signal: AbortSignal): Promise<string | null> {
    signal.throwIfAborted();
    const name = await this.#refs.resolve(this.#ref);
    const commit = name === null ? null : await this.#facts.get(`${name}^{commit}`);
    if (commit !== null) return commit.id;
    const names = await this.#refs.names(maxShownRefs, signal);
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
  objectInfo(name: string): Promise<GitObject | null> {
    return this.#facts.get(name);
  }

  /** A small object with its bytes. */
  objectContents(id: string): Promise<GitObject | null> {
    return this.#contents.get(id);
  }

  /** The bytes of a blob, in pieces when it is large. */
  async readBlob(
    { id, size }: Pick<GitObject, 'id' | 'size'>,
    signal: AbortSignal,
  ): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
    if (size > maxSinglePieceBytes)
      return this.git.bytes(this.args('cat-file', 'blob', id), { signal });
    const { bytes } = (await this.objectContents(id)) ?? {};
    if (bytes !== undefined) return bytes;
    throw this.#error('connector_unhealthy', `The object ${id} is missing from the repository.`, {
      suggestions: [
        'The clone may be partial or damaged: `git fetch --refetch` in it gets all objects.',
      ],
    });
  }

  async close(): Promise<void> {
    this.#ending.abort();
    if (this.#temporary !== null) await rm(this.#temporary, { recursive: true, force: true });
  }
}
