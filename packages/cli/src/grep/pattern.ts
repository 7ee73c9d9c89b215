export interface Pattern {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignore_case: boolean;
}

/** The pattern as a JavaScript expression: only for display, never to decide what matches. */
export function highlighter({ pattern, regex, ignore_case }: Pattern): RegExp | undefined {
  const source = regex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  try {
    return new RegExp(source, ignore_case ? 'giu' : 'gu');
  } catch {
    return undefined;
  }
}

/** Whether `--smart-case` ignores case: there is no capital letter, apart from those of classes such as `\W`. */
export function isLowerCase({ pattern, regex }: Omit<Pattern, 'ignore_case'>): boolean {
  const letters = regex ? pattern.replace(/\\(?:[pP]\{[^}]*\}|[pP]?.)/gsu, '') : pattern;
  return !/\p{Lu}/u.test(letters);
}

/** Whether a text that was taken literally looks like a regular expression. */
export function looksLikeRegex(pattern: string): boolean {
  return /\\[wdsbWDSB]|\.[*+?]|[\w\])][*+]|\w\|\w|\[[^\]]+\]|^\^|\$$/.test(pattern);
}
