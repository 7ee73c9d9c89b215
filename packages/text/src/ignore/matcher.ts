import { PathPattern } from '../glob/path-pattern.js';

/** The verdict of one set of patterns on a path. */
export interface IgnoreVerdict {
  /** False: a negated pattern includes the path. */
  readonly ignored: boolean;
  /** Where the pattern is (`docs/.gitignore:3`). */
  readonly rule: string;
  /** The line verbatim. */
  readonly pattern: string;
  /** Written for Trove rather than for version control. */
  readonly forTrove: boolean;
}

/** What to look up. */
export interface IgnoreSubject {
  /** Path relative to the patterns' folder. */
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}

interface IgnoreLine extends IgnoreVerdict {
  readonly compiled: PathPattern;
  /** The last matching line decides. */
  readonly order: number;
}

/** The patterns of one folder level, each with its location. */
export class IgnoreMatcher {
  /** Most patterns end in a plain name, so only few need to be tried for each path. */
  readonly #byLastName = new Map<string, IgnoreLine[]>();
  readonly #others: IgnoreLine[] = [];
  #count = 0;

  /** Adds the lines of an ignore file; `source` is its path for messages (`docs/.gitignore`). */
  addFile(source: string, text: string, forTrove: boolean): void {
    const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
    for (const [index, line] of lines.entries()) {
      this.#add(line, `${source}:${index + 1}`, forTrove);
    }
  }

  /** Adds patterns of a source's configuration. */
  addConfigured(patterns: readonly string[]): void {
    for (const pattern of patterns) this.#add(pattern, 'configuration', true);
  }

  /** The verdict on a path none of whose parents is ignored, or null. */
  verdict(asked: IgnoreSubject): IgnoreVerdict | null {
    let found: IgnoreLine | null = null;
    for (const lines of [this.#byLastName.get(asked.name) ?? [], this.#others]) {
      for (let index = lines.length - 1; index >= 0; index--) {
        const line = lines[index];
        if (line === undefined || line.order < (found?.order ?? 0)) break;
        if (!matches(line.compiled, asked)) continue;
        found = line;
        break;
      }
    }
    return found;
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

/** A trailing space counts if escaped by a backslash. */
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
