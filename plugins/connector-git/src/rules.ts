import { createHash } from 'node:crypto';
import { PathRules } from '@trove/text/ignore';

/** What is left out of a repository by its name: what its configuration says, then the rules that are built in. */
export class RepositoryRules {
  /** Another one for other patterns of the configuration; empty without any. */
  readonly key: string;
  readonly #paths: PathRules;

  constructor(ignore: readonly string[]) {
    const patterns = JSON.stringify(ignore);
    const hash = createHash('sha256').update(patterns).digest('hex').slice(0, 12);
    this.key = ignore.length === 0 ? '' : ` ${hash}`;
    this.#paths = new PathRules(ignore);
  }

  isLeftOut(path: string): boolean {
    return this.reason(path, false) !== null;
  }

  /** Why a file or a folder, by its path below the top of the repository, is left out; null: it is not. */
  reason(path: string, isFolder: boolean): string | null {
    return this.#paths.reason(path, isFolder);
  }
}
