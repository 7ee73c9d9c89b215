import { createHash } from 'node:crypto';
import { PathRules } from '@trove/text/ignore';

/** Decides by path which files are left out: configured patterns first, then built-in rules. */
export class RepositoryRules {
  /** Identifies the configured patterns; empty without patterns. */
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

  /** Returns the reason why a path in the repository is left out, or null. */
  reason(path: string, isFolder: boolean): string | null {
    return this.#paths.reason(path, isFolder);
  }
}
