/** A built-in rule that leaves something out of the index. */
export interface BuiltInRule {
  readonly pattern: string;
  /** It keeps what may be secret: only what is written for Trove itself takes that in, no `.gitignore`. */
  readonly isPrivate: boolean;
}

interface WildRule extends BuiltInRule {
  readonly start: string;
  readonly end: string;
}

/** Rules that are found by name: each entry of a source is looked up here. */
export class BuiltInRules {
  readonly #names = new Map<string, BuiltInRule>();
  readonly #extensions = new Map<string, BuiltInRule>();
  readonly #wild: WildRule[] = [];
  readonly #paths = new Map<string, BuiltInRule[]>();

  /** Adds patterns: `name`, `*.extension`, `start*end`, and `folder/name` wherever that path ends so. */
  add(isPrivate: boolean, patterns: string): this {
    for (const pattern of patterns.trim().split(/\s+/)) this.#add({ pattern, isPrivate });
    return this;
  }

  /** The rule for an entry with a name, which lies `at` a place on disk. */
  find(name: string, at: string): BuiltInRule | null {
    const dot = name.lastIndexOf('.');
    return (
      this.#names.get(name) ??
      (dot < 0 ? undefined : this.#extensions.get(name.slice(dot).toLowerCase())) ??
      this.#wild.find(({ start, end }) => name.startsWith(start) && name.endsWith(end)) ??
      this.#paths.get(name)?.find(({ pattern }) => at.endsWith(`/${pattern}`)) ??
      null
    );
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
