import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Context } from './context.js';
import type { MakeError } from './failures.js';
import { Git } from './git.js';
import { shallowOf } from './local/layout.js';
import { FileRefs, GitRefs, type Refs } from './local/refs.js';
import type { Survey } from './local/survey.js';
import { viewIn } from './local/view.js';
import { ObjectBatch, type GitObject } from './object-batch.js';

type Opening = Pick<Context, 'config' | 'error' | 'signal'>;

/** Larger contents are streamed by a git of their own, so that nobody waits for whoever takes them. */
const inOnePiece = 1024 * 1024;
const refsNamed = 5;

interface Parts {
  readonly git: Git;
  /** Arguments that name the repository. */
  readonly named: readonly string[];
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
  readonly #error: MakeError;
  readonly #facts: ObjectBatch;
  readonly #contents: ObjectBatch;
  readonly #ending = new AbortController();

  private constructor(
    { git, named, refs, temporary }: Parts,
    ref: string,
    { config, error, signal }: Opening,
  ) {
    this.git = git;
    this.#named = named;
    this.#refs = refs;
    this.#temporary = temporary;
    this.#ref = ref;
    this.#shownRef = config.ref;
    this.#error = error;
    const ending = AbortSignal.any([signal, this.#ending.signal]);
    this.#facts = new ObjectBatch(git, named, 'facts', ending);
    this.#contents = new ObjectBatch(git, named, 'contents', ending);
  }

  /** A repository of this machine, of which git sees only objects, and refs where they are no plain files. */
  static async open({ layout, format }: Survey, context: Context): Promise<Repository> {
    const { error, config, folder } = context;
    const temporary =
      folder === undefined ? await mkdtemp(join(await realpath(tmpdir()), 'trove-git-')) : null;
    const view = await viewIn(folder ?? temporary ?? '', layout, format);
    const environment = {
      HOME: view,
      XDG_CONFIG_HOME: view,
      GIT_OBJECT_DIRECTORY: join(layout.commonDir, 'objects'),
      GIT_SHALLOW_FILE: shallowOf(layout),
    };
    const git = new Git(error, { environment });
    const named = [`--git-dir=${view}`];
    const refs = format.refs === 'files' ? new FileRefs(layout, error) : new GitRefs(git, named);
    return new Repository({ git, named, refs, temporary }, config.ref, context);
  }

  /** A copy of the connector's own, which shows what one of its refs is at. */
  static mirror(gitDir: string, ref: string, context: Opening): Repository {
    const git = new Git(context.error, { environment: { HOME: gitDir, XDG_CONFIG_HOME: gitDir } });
    const named = [`--git-dir=${gitDir}`];
    const refs = new GitRefs(git, named);
    return new Repository({ git, named, refs, temporary: null }, ref, context);
  }

  args(...args: readonly string[]): string[] {
    return [...this.#named, ...args];
  }

  /** The id of the commit at the ref, null for a repository without any commit. Throws `connector_unhealthy`. */
  async tip(signal: AbortSignal): Promise<string | null> {
    signal.throwIfAborted();
    const name = await this.#refs.resolve(this.#ref);
    const commit = name === null ? null : await this.#facts.ask(`${name}^{commit}`);
    if (commit !== null) return commit.id;
    const names = await this.#refs.names(refsNamed, signal);
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

  async close(): Promise<void> {
    this.#ending.abort();
    if (this.#temporary !== null) await rm(this.#temporary, { recursive: true, force: true });
  }
}
