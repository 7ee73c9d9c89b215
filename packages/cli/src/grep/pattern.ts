export interface GrepPattern {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignore_case: boolean;
}

/** Patterns with their options. */
export interface PatternOptions {
  /** At least one. A line matches if any of them matches. */
  readonly texts: readonly string[];
  readonly regex: boolean;
  /** Match only whole lines. */
  readonly wholeLine: boolean;
}

/** Combines several patterns, or a pattern for whole lines, into one expression. Leaves a single pattern unchanged. */
export function combinePatterns({
  texts,
  regex,
  wholeLine,
}: PatternOptions): Omit<GrepPattern, 'ignore_case'> {
  const [only = '', ...others] = texts;
  if (others.length === 0 && !wholeLine) return { pattern: only, regex };
  const any = texts.map((text) => (regex ? `(?:${text})` : escapeLiteral(text))).join('|');
  return { pattern: wholeLine ? `^(?:${any})$` : any, regex: true };
}

/** Escapes a text for ripgrep and JavaScript expressions. */
function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Converts a pattern into a JavaScript expression, only for highlighting. */
export function toHighlightPattern({
  pattern,
  regex,
  ignore_case,
}: GrepPattern): RegExp | undefined {
  const source = regex ? pattern : escapeLiteral(pattern);
  try {
    return new RegExp(source, ignore_case ? 'giu' : 'gu');
  } catch {
    return undefined;
  }
}

/** Tests if `--smart-case` ignores case: no capital letters except in classes such as `\W`. */
export function isLowerCase({ texts, regex }: Pick<PatternOptions, 'texts' | 'regex'>): boolean {
  const all = texts.join('\n');
  const letters = regex ? all.replace(/\\(?:[pP]\{[^}]*\}|[pP]?.)/gsu, '') : all;
  return !/\p{Lu}/u.test(letters);
}

/** Tests if a literal text looks like a regular expression. */
export function looksLikeRegex(pattern: string): boolean {
  return /\\[wdsbWDSB]|\.[*+?]|[\w\])][*+]|\w\|\w|\[[^\]]+\]|^\^|\$$/.test(pattern);
}
