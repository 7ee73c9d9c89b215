import { builtInRule } from './defaults.js';
import { IgnoreMatcher } from './matcher.js';

const maxCachedFolders = 10_000;

/** Ignore rules of a source without ignore files. The patterns of its configuration precede the built-in rules. */
export class PathRules {
  readonly #configured = new IgnoreMatcher();
  /** The reasons for left-out folders, a cache. */
  readonly #folders = new Map<string, string | null>();

  constructor(configured: readonly string[]) {
    this.#configured.addConfigured(configured);
  }

  /** Returns the reason for leaving out a file or folder, or null. The first excluded folder on its path decides. */
  reason(path: string, isFolder: boolean): string | null {
    if (path === '') return null;
    const slash = path.lastIndexOf('/');
    const ofFolder = slash === -1 ? null : this.#reasonOfFolder(path.slice(0, slash));
    return ofFolder ?? this.#own(path, path.slice(slash + 1), isFolder);
  }

  #reasonOfFolder(path: string): string | null {
    const cached = this.#folders.get(path);
    if (cached !== undefined) return cached;
    const reason = this.reason(path, true);
    if (this.#folders.size >= maxCachedFolders) this.#folders.clear();
    this.#folders.set(path, reason);
    return reason;
  }

  #own(path: string, name: string, isFolder: boolean): string | null {
    const verdict = this.#configured.verdict({ path, name, isFolder });
    if (verdict !== null) {
      return verdict.ignored
        ? `${path} is ignored by "${verdict.pattern}" (${verdict.rule})`
        : null;
    }
    const rule = builtInRule({ name, isFolder, path: `/${path}`, childNames: () => null });
    if (rule === null) return null;
    const which = rule.isPrivate ? 'built in: it may hold secrets' : 'built in';
    const override = `!${name.replace(/[*?[\\]/g, '\\$&')}${isFolder ? '/' : ''}`;
    return `${path} is ignored by "${rule.pattern}" (${which}); "${override}" in \`ignore\` of the source's settings includes it`;
  }
}
