import { readdirSync } from 'node:fs';
import {
  builtInRule,
  IgnoreMatcher,
  type BuiltInRule,
  type IgnoreVerdict,
} from '@trove/text/ignore';

import { readIgnoreFiles } from './ignore-files.js';

/** The rule that ignores an entry. */
export interface MatchedRule {
  /** `docs/.gitignore:3`, `configuration`, `built in` or `built in: it may hold secrets`. */
  readonly rule: string;
  readonly pattern: string;
  /** The line in a `.troveignore` file that would include the entry; null unless the rule is built in. */
  readonly includedBy: string | null;
}

/** Shared, because every entry of a source is checked. */
const noVerdicts: readonly IgnoreVerdict[] = [];

/** Patterns of one folder, with the conversion of paths below the root to paths below that folder. */
interface IgnoreLevel {
  readonly matcher: IgnoreMatcher;
  /** Length of the path prefix of the level's folder; 0 for the root and for folders above it. */
  readonly prefixLength: number;
  /** Path from a folder above the root down to the root, with a trailing slash; '' otherwise. */
  readonly prefix: string;
}

/**
 * The ignore rules of one folder. Configured patterns come first, then ignore files from this folder upwards, then the
 * built-in list. The first match decides, as in git.
 */
export class IgnoreRules {
  readonly #configured: IgnoreMatcher | null;
  readonly #levels: readonly IgnoreLevel[];

  private constructor(configured: IgnoreMatcher | null, levels: readonly IgnoreLevel[]) {
    this.#configured = configured;
    this.#levels = levels;
  }

  /** Creates the rules of a root folder. `outer` has the ignore files of its repository, nearest first. */
  static forRoot(configured: readonly string[], outer: readonly OuterLevel[]): IgnoreRules {
    let matcher: IgnoreMatcher | null = null;
    if (configured.length > 0) {
      matcher = new IgnoreMatcher();
      matcher.addConfigured(configured);
    }
    return new IgnoreRules(
      matcher,
      outer.map((level) => ({ ...level, prefixLength: 0 })),
    );
  }

  /** Adds the rules of a folder. `realPath` is its path on disk. `has` tests whether it contains a name. */
  withFolder(path: string, realPath: string, has: (name: string) => boolean): IgnoreRules {
    const matcher = readIgnoreFiles(realPath, path, has);
    if (matcher === null) return this;
    const prefixLength = path === '' ? 0 : path.length + 1;
    return new IgnoreRules(this.#configured, [
      { matcher, prefixLength, prefix: '' },
      ...this.#levels,
    ]);
  }

  /** Returns the rule that ignores an entry, or null. `realPath` is its path on disk. Its parents must not be ignored. */
  matchedRule(path: string, isFolder: boolean, realPath: string): MatchedRule | null {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const names = (): string[] => listNames(realPath);
    const builtIn = (): BuiltInRule | null =>
      builtInRule({ name, isFolder, path: realPath, childNames: names });
    for (const verdict of this.#verdicts(path, name, isFolder)) {
      if (verdict.ignored) return { ...verdict, includedBy: null };
      // A .gitignore that lets git track a key does not make the key searchable.
      if (verdict.forTrove || builtIn()?.isPrivate !== true) return null;
    }
    const rule = builtIn();
    if (rule === null) return null;
    const { pattern, isPrivate } = rule;
    const includedBy = `!${name.replace(/[*?[\\]/g, '\\$&')}${isFolder ? '/' : ''}`;
    return {
      rule: isPrivate ? 'built in: it may hold secrets' : 'built in',
      pattern,
      includedBy,
    };
  }

  /** In order of precedence. */
  #verdicts(path: string, name: string, isFolder: boolean): readonly IgnoreVerdict[] {
    if (this.#configured === null && this.#levels.length === 0) return noVerdicts;
    const verdicts: (IgnoreVerdict | null)[] = [];
    if (this.#configured !== null)
      verdicts.push(this.#configured.verdict({ path, name, isFolder }));
    for (const { matcher, prefixLength, prefix } of this.#levels) {
      verdicts.push(matcher.verdict({ path: prefix + path.slice(prefixLength), name, isFolder }));
    }
    return verdicts.filter((verdict) => verdict !== null);
  }
}

export interface OuterLevel {
  readonly matcher: IgnoreMatcher;
  readonly prefix: string;
}

/** Lists the names in a folder. An unreadable folder counts as empty, so its own name decides. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
