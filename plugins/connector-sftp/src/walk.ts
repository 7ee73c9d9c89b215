import { isTroveError, messageOf, type Entry } from '@trove/core';
import type { PathRules } from '@trove/text/ignore';

import { entryOf, joinPath, linkProblem, nameProblem, skippedEntry, typeOf } from './entries.js';
import type { RemoteFiles } from './remote-files.js';

const maxDepth = 200;

export interface RemoteWalkOptions {
  readonly rules: PathRules;
  readonly warn: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** Lists all files below the root. Follows no links, because files inside the source are listed under their real paths. */
export class RemoteWalk {
  /** Sentences about folders that could not be listed. */
  readonly problems: string[] = [];
  readonly #files: RemoteFiles;
  readonly #options: RemoteWalkOptions;
  readonly #folders: string[] = [''];

  constructor(files: RemoteFiles, options: RemoteWalkOptions) {
    this.#files = files;
    this.#options = options;
  }

  async *entries(): AsyncGenerator<Entry, void, undefined> {
    for (let path = this.#folders.pop(); path !== undefined; path = this.#folders.pop())
      yield* this.#folder(path);
  }

  async *#folder(path: string): AsyncGenerator<Entry, void, undefined> {
    const { signal } = this.#options;
    const below: string[] = [];
    try {
      for await (const batch of this.#files.members(path, signal)) {
        for (const { filename, attrs } of batch) {
          const member = joinPath(path, filename);
          const type = typeOf(attrs);
          if (this.#options.rules.reason(member, type === 'dir') !== null) continue;
          const problem = nameProblem(filename);
          if (problem !== null) yield skippedEntry(member, problem);
          else if (type === 'dir') below.push(member);
          else if (type === 'link') yield* this.#link(member);
          else if (type === 'file') yield entryOf(member, attrs);
          else yield skippedEntry(member, 'not a regular file');
        }
        signal.throwIfAborted();
      }
    } catch (error) {
      this.#handle(error, path);
    }
    const isTooDeep = path.split('/').length >= maxDepth && below.length > 0;
    if (isTooDeep) this.#options.warn(`"${path}" is more than ${maxDepth} folders deep.`);
    else this.#folders.push(...below.reverse());
  }

  /** A folder that the user may not read is left out. A folder that vanished was deleted during the walk. */
  #handle(error: unknown, path: string): void {
    const { signal, warn } = this.#options;
    signal.throwIfAborted();
    if (path === '' || !isTroveError(error) || error.retryable) throw error;
    if (error.code === 'path_not_allowed') warn(`The user may not list "${path}". It is left out.`);
    else if (error.code !== 'not_found') this.problems.push(`"${path}": ${messageOf(error)}`);
  }

  async *#link(path: string): AsyncGenerator<Entry, void, undefined> {
    const { signal } = this.#options;
    try {
      await this.#files.stat(path, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isTroveError(error) || error.retryable) throw error;
      yield skippedEntry(path, linkProblem(error.code));
    }
  }
}
