import ignore from 'ignore';

/** What one set of patterns says of a path: the rule that ignores it, that it is let in, or nothing. */
export type Opinion =
  | { readonly ignored: true; readonly rule: string; readonly pattern: string }
  | { readonly ignored: false }
  | null;

/** The library remembers every path it was asked for; beyond this many it is made to forget them. */
const REMEMBERED_PATHS = 20_000;
const nothing = ignore();

/** The patterns of one folder level, each marked with the place it was written in. */
export class Matcher {
  readonly #patterns = ignore({ ignoreCase: false });
  #asked = 0;

  /** Adds the lines of an ignore file; `source` is how people find it (`docs/.gitignore`). */
  addFile(source: string, text: string): void {
    const lines = text.replace(/^\ufeff/, '').split('\n');
    this.#patterns.add(
      lines.map((pattern, index) => ({ pattern, mark: `${source}:${index + 1}` })),
    );
  }

  addPatterns(source: string, patterns: readonly string[]): void {
    this.#patterns.add(patterns.map((pattern) => ({ pattern, mark: source })));
  }

  /**
   * The opinion on a path relative to the level's folder, with a trailing slash for a folder. A verdict on a parent
   * counts for nothing here: who asks got below the parent, so that another level has let it in.
   */
  opinion(path: string): Opinion {
    if (++this.#asked % REMEMBERED_PATHS === 0) this.#patterns.add(nothing);
    const { ignored, unignored, rule } = this.#patterns.test(path);
    if (unignored) return { ignored: false };
    if (!ignored || rule === undefined || this.#ignoresParentOf(path)) return null;
    return { ignored: true, rule: rule.mark ?? '', pattern: rule.pattern.trim() };
  }

  #ignoresParentOf(path: string): boolean {
    const parent = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
    return parent !== '' && this.#patterns.test(parent).ignored;
  }
}
