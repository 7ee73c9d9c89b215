/** A built-in rule that excludes paths from the index. */
export interface BuiltInRule {
  readonly pattern: string;
  /** It protects possible secrets. Only Trove's own patterns override it, not `.gitignore`. */
  readonly isPrivate: boolean;
}

interface WildRule extends BuiltInRule {
  readonly start: string;
  readonly end: string;
}

/** Rules that are looked up by name, because every entry of a source is checked. */
export class BuiltInRules {
  readonly #names = new Map<string, BuiltInRule>();
  readonly #extensions = new Map<string, BuiltInRule>();
  readonly #wild: WildRule[] = [];
  readonly #paths = new Map<string, BuiltInRule[]>();

  /** Adds patterns: `name`, `*.extension`, `start*end`, and `folder/name` for paths that end with it. */
  add(isPrivate: boolean, patterns: string): this {
    for (const pattern of patterns.trim().split(/\s+/)) this.#add({ pattern, isPrivate });
    return this;
  }

  /** Returns the rule for an entry with this name and path. */
  find(name: string, at: string): BuiltInRule | null {
    const dot = name.lastIndexOf('.');
    return (
      this.#names.get(name) ??
      (dot < 0 ? undefined : this.#extensions.get(name.slice(dot).toLowerCase())) ??
      this.#wildRule(name) ??
      this.#paths.get(name)?.find(({ pattern }) => at.endsWith(`/${pattern}`)) ??
      null
    );
  }

  #wildRule(name: string): BuiltInRule | undefined {
    for (const rule of this.#wild) {
      if (name.startsWith(rule.start) && name.endsWith(rule.end)) return rule;
    }
    return undefined;
  }

  #add(rule: BuiltInRule): void {
    const { pattern } = rule;
    if (pattern.includes('/')) {
      const name = pattern.slice(pattern.lastIndexOf('/') + 1);
      this.#paths.set(name, [...(this.#paths.get(name) ?? []), rule]);
    } else if (/^\*\.[^.]+$/.test(pattern)) {
      this.#extensions.set(pattern.slice(1), rule);
    } else if (pattern.includes('*')) {
      const [start = '', end = ''] = pattern.split('*');
      this.#wild.push({ ...rule, start, end });
    } else {
      this.#names.set(pattern, rule);
    }
  }
}
