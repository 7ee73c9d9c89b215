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

/** A separate git process streams larger contents, because a slow reader must not block other reads. */
const maxSinglePieceBytes = 1024 * 1024;
const maxShownRefs = 5;

interface RepositoryParts {
  readonly git: Git;
  /** Arguments of git that name the repository. */
  readonly gitArgs: readonly string[];
  readonly refs: Refs;
  /** A folder to delete on close, or null. */
  readonly temporary: string | null;
}

/** A repository on this machine, shown at one ref. It is read in place and never written to. */
export class Repository {
  readonly git: Git;
  readonly #gitArgs: readonly string[];
  readonly #refs: Refs;
  readonly #temporary: string | null;
  readonly #ref: string;
  /** Name of the ref for messages. */
  readonly #shownRef: string;
  readonly #error: GitErrorFactory;
  readonly #info: ObjectReader;
  readonly #contents: ObjectReader;
  readonly #closing = new AbortController();

  private constructor(
    { git, gitArgs, refs, temporary }: RepositoryParts,
    ref: string,
    { config, error, signal }: RepositoryContext,
  ) {
    this.git = git;
    this.#gitArgs = gitArgs;
    this.#refs = refs;
    this.#temporary = temporary;
    this.#ref = ref;
    this.#shownRef = config.ref;
    this.#error = error;
    const closing = AbortSignal.any([signal, this.#closing.signal]);
    this.#info = new ObjectReader(git, gitArgs, 'info', closing);
    this.#contents = new ObjectReader(git, gitArgs, 'contents', closing);
  }

  /** Opens a local repository. Git sees only its objects, and its refs unless they are files. */
  static async open(
    { layout, format }: RepositoryStorage,
    context: GitContext,
  ): Promise<Repository> {
    const { error, config, cacheFolder } = context;
    const temporary =
      cacheFolder === undefined
        ? await mkdtemp(join(await realpath(tmpdir()), 'trove-git-'))
        : null;
    const view = await createView(cacheFolder ?? temporary ?? '', layout, format);
    const environment = {
      HOME: view,
      XDG_CONFIG_HOME: view,
      GIT_OBJECT_DIRECTORY: join(layout.commonDir, 'objects'),
      GIT_SHALLOW_FILE: shallowFileOf(layout),
    };
    const git = new Git(error, { environment });
    const gitArgs = [`--git-dir=${view}`];
    const refs = format.refs === 'files' ? new FileRefs(layout, error) : new GitRefs(git, gitArgs);
    return new Repository({ git, gitArgs, refs, temporary }, config.ref, context);
  }

  /** Opens the connector's own copy of a remote repository at one of its refs. */
  static mirror(gitDir: string, ref: string, context: RepositoryContext): Repository {
    const git = new Git(context.error, { environment: { HOME: gitDir, XDG_CONFIG_HOME: gitDir } });
    const gitArgs = [`--git-dir=${gitDir}`];
    const refs = new GitRefs(git, gitArgs);
    return new Repository({ git, gitArgs, refs, temporary: null }, ref, context);
  }

  args(...args: readonly string[]): string[] {
    return [...this.#gitArgs, ...args];
  }

  /** Returns the id of the commit at the ref; null for a repository without commits. Throws `connector_unhealthy`. */
  async tip(signal: AbortSignal): Promise<string | null> {
    signal.throwIfAborted();
    const name = await this.#refs.resolve(this.#ref);
    const commit = name === null ? null : await this.#info.get(`${name}^{commit}`);
    if (commit !== null) return commit.id;
    const names = await this.#refs.names(maxShownRefs, signal);
    const isUnborn = this.#ref === 'HEAD' || this.#ref !== this.#shownRef;
    if (names.length === 0 && isUnborn) return null;
    const hint = names.length === 0 ? 'It has no commits.' : `There are: ${names.join(', ')} …`;
    throw this.#error(
      'connector_unhealthy',
      this.#shownRef === 'HEAD'
        ? 'The checked-out branch of the repository has no commit.'
        : `The repository has no branch, tag or commit "${this.#shownRef}".`,
      { suggestions: [`Set \`ref\` in the configuration to one that exists. ${hint}`] },
    );
  }

  /** Returns the type and size of an object, by id or any name that git resolves; null if it does not exist. */
  objectInfo(name: string): Promise<GitObject | null> {
    return this.#info.get(name);
  }

  /** Returns a small object with its bytes; null if it does not exist. */
  objectContents(id: string): Promise<GitObject | null> {
    return this.#contents.get(id);
  }

  /** Reads a blob. Streams a large one in pieces. */
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
        'The clone may be partial or damaged. Run `git fetch --refetch` in it to get all objects.',
      ],
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#temporary !== null) await rm(this.#temporary, { recursive: true, force: true });
  }
}
