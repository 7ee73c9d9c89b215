import { readBracket } from './bracket.js';
import { anyRun, matchSteps } from './match-steps.js';
import { compileName, type NamePattern } from './name-pattern.js';

/** Longer than any path. A longer pattern would only cost time. */
const maxChars = 4096;

const anyName: NamePattern = { literal: null, test: () => true };
type PatternSegment = NamePattern | typeof anyRun;

/**
 * A pattern as in a `.gitignore` file: `*.log`, `/dist`, `docs/**\/draft?.md`, `build/`. Without a slash before its
 * end, it matches names at any depth, else paths from the root. Matching takes at most time proportional to the product
 * of the two lengths.
 */
export class PathPattern {
  /** The pattern ends in a slash, so it matches folders only. */
  readonly foldersOnly: boolean;
  /** The only possible last name of a matching path. Null if there are several. */
  readonly lastName: string | null;
  /** Only the last segment of a path matters. */
  readonly namesOnly: boolean;
  readonly #parts: readonly PatternSegment[];
  readonly #covering: readonly PatternSegment[];
  readonly #last: NamePattern;

  private constructor(parts: readonly PatternSegment[], last: NamePattern, pattern: PatternShape) {
    this.#parts = parts;
    this.#covering = [...parts, anyRun, ...(pattern.foldersOnly ? [anyName] : [])];
    this.#last = last;
    this.lastName = last.literal;
    this.foldersOnly = pattern.foldersOnly;
    this.namesOnly = !pattern.anchored;
  }

  /** Parses a pattern. Null for an empty one and one with an unclosed bracket, which match nothing. */
  static parse(text: string): PathPattern | null {
    const shape = shapeOf(text);
    if (shape === null) return null;
    const parts: PatternSegment[] = shape.anchored ? [] : [anyRun];
    for (const name of shape.names) {
      if (name === '**') {
        if (parts.at(-1) !== anyRun) parts.push(anyRun);
        continue;
      }
      const part = compileName(name);
      if (part === null) return null;
      parts.push(part);
    }
    const last = parts.at(-1);
    if (last !== undefined && last !== anyRun) return new PathPattern(parts, last, shape);
    // A trailing `/**` means everything inside, not the folder itself.
    return new PathPattern([...parts, anyName], anyName, shape);
  }

  /** Whether the pattern matches this path. `name` is its last segment. */
  matches(path: string, name: string): boolean {
    if (!this.#last.test(name)) return false;
    return this.namesOnly || matchParts(this.#parts, path.split('/'));
  }

  /** Whether the pattern matches a file, given as path segments, or a folder above it. */
  covers(file: readonly string[]): boolean {
    return matchParts(this.#covering, file);
  }
}

interface PatternShape {
  readonly names: readonly string[];
  readonly anchored: boolean;
  readonly foldersOnly: boolean;
}

function shapeOf(text: string): PatternShape | null {
  if (text.length > maxChars) return null;
  const foldersOnly = text.endsWith('/');
  const names = namesOf(Array.from(foldersOnly ? text.slice(0, -1) : text));
  const anchored = text.slice(0, -1).includes('/');
  if (anchored && names?.[0] === '') names.shift();
  if (names === null || names.includes('')) return null;
  // Without a slash, `**` is any name.
  if (!anchored && names[0] === '**') names[0] = '*';
  return { names, anchored, foldersOnly };
}

/** Splits a pattern at slashes outside of brackets. Null for an unclosed bracket. */
function namesOf(pattern: readonly string[]): string[] | null {
  const names = [''];
  const last = (): number => names.length - 1;
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at] ?? '';
    const end = endOfUnit(pattern, at);
    if (end === null) return null;
    if (char === '/' || (char === '\\' && pattern[at + 1] === '/')) names.push('');
    else names[last()] += pattern.slice(at, end).join('');
    at = end;
  }
  return names;
}

function endOfUnit(pattern: readonly string[], at: number): number | null {
  if (pattern[at] === '[') return readBracket(pattern, at)?.end ?? null;
  return at + (pattern[at] === '\\' ? 2 : 1);
}

function matchParts(parts: readonly PatternSegment[], path: readonly string[]): boolean {
  return matchSteps(parts, path, (part, name) => part.test(name));
}
