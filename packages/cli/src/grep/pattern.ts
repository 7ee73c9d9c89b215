export interface GrepPattern {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignore_case: boolean;
}

/** Patterns as they are asked for. */
export interface PatternOptions {
  /** At least one: a line matches if any of them does. */
  readonly texts: readonly string[];
  readonly regex: boolean;
  /** Only lines that match as a whole. */
  readonly wholeLine: boolean;
}

/** Several patterns, or one for whole lines, as one expression; a single one stays as it is. */
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

/** A text as an expression that both ripgrep's syntax and JavaScript's understand. */
function escapeLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The pattern as a JavaScript expression: only for display, never to decide what matches. */
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

/** Whether `--smart-case` ignores case: there is no capital letter, apart from those of classes such as `\W`. */
export function isLowerCase({ texts, regex }: Pick<PatternOptions, 'texts' | 'regex'>): boolean {
  const all = texts.join('\n');
  const letters = regex ? all.replace(/\\(?:[pP]\{[^}]*\}|[pP]?.)/gsu, '') : all;
  return !/\p{Lu}/u.test(letters);
}

/** Whether a text that was taken literally looks like a regular expression. */
export function looksLikeRegex(pattern: string): boolean {
  return /\\[wdsbWDSB]|\.[*+?]|[\w\])][*+]|\w\|\w|\[[^\]]+\]|^\^|\$$/.test(pattern);
}
