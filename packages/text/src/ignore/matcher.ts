import { PathPattern } from '../glob/path-pattern.js';

/** The verdict of one set of patterns on a path. */
export interface IgnoreVerdict {
  /** False: a negated pattern includes the path. */
  readonly ignored: boolean;
  /** The location of the pattern (`docs/.gitignore:3`). */
  readonly rule: string;
  /** The line as written. */
  readonly pattern: string;
  /** Written for Trove rather than for version control. */
  readonly forTrove: boolean;
}

/** A path to check. */
export interface IgnoreSubject {
  /** Path relative to the folder of the patterns. */
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}

interface IgnoreLine extends IgnoreVerdict {
  readonly compiled: PathPattern;
  /** The last matching line decides. */
  readonly order: number;
}

/** The patterns of one folder level with their locations. */
export class IgnoreMatcher {
  /** By last name. Most patterns end in a plain name, so few remain to try for each path. */
  readonly #byLastName = new Map<string, IgnoreLine[]>();
  readonly #others: IgnoreLine[] = [];
  #count = 0;

  /** Adds the lines of an ignore file. Messages use `source` as its path (`docs/.gitignore`). */
  addFile(source: string, text: string, forTrove: boolean): void {
    const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
    for (const [index, line] of lines.entries()) {
      this.#add(line, `${source}:${index + 1}`, forTrove);
    }
  }

  /** Adds patterns from the configuration of a source. */
  addConfigured(patterns: readonly string[]): void {
    for (const pattern of patterns) this.#add(pattern, 'configuration', true);
  }

  /** Returns the verdict on a path, or null. None of its parents may be ignored. */
  verdict(subject: IgnoreSubject): IgnoreVerdict | null {
    let match: IgnoreLine | null = null;
    for (const lines of [this.#byLastName.get(subject.name) ?? [], this.#others]) {
      for (let index = lines.length - 1; index >= 0; index--) {
        const line = lines[index];
        if (line === undefined || line.order < (match?.order ?? 0)) break;
        if (!matches(line.compiled, subject)) continue;
        match = line;
        break;
      }
    }
    return match;
  }

  #add(written: string, rule: string, forTrove: boolean): void {
    const line = withoutTrailingSpaces(written);
    if (line === '' || line.startsWith('#')) return;
    const negated = line.startsWith('!');
    const compiled = PathPattern.parse(negated ? line.slice(1) : line);
    if (compiled === null) return;
    const order = ++this.#count;
    const entry = { ignored: !negated, rule, pattern: line, forTrove, compiled, order };
    if (compiled.lastName === null) {
      this.#others.push(entry);
      return;
    }
    const same = this.#byLastName.get(compiled.lastName);
    if (same === undefined) this.#byLastName.set(compiled.lastName, [entry]);
    else same.push(entry);
  }
}

function matches(pattern: PathPattern, { path, name, isFolder }: IgnoreSubject): boolean {
  return (isFolder || !pattern.foldersOnly) && pattern.matches(path, name);
}

/** Removes trailing spaces. A space after a backslash stays. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
