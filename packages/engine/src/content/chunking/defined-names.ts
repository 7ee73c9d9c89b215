import type { Chunk } from './chunk.js';
import type { TextFormat, ClassifiedText } from './format.js';
import type { Lines } from './lines.js';
import { MinorDefinitions } from './minor-definitions.js';
import type { SectionMark, TextStructure } from './structure.js';

/*
 * Finds the defined name in a signature of at most 160 characters: after a keyword or before the parameters.
 *
 * Repetitions are bounded or disjoint, so a hostile signature takes linear time.
 */

/** Characters of a signature that are searched for its name. */
const maxSignatureChars = 160;

const namePattern =
  '[\\p{L}_$~@][\\p{L}\\p{N}_$]*(?:(?:::|\\.)~?[\\p{L}_$][\\p{L}\\p{N}_$]*){0,8}[?!]?';
/** `class X`, `fn f`, `func (r T) F`, `struct S<T>`. */
const afterKeyword = new RegExp(
  '(?<![\\p{L}\\p{N}_$.])(?:class|interface|enum(?: class| struct)?|struct|trait|fn|func|fun|function|namespace|module|defmodule|type|protocol|extension|' +
    'union|record|object|def|defp|defmacro|proc|sub|message|service|rpc|macro_rules!)[ *]{1,4}' +
    `(?:\\([^()]{0,80}\\) ?)?(?:<[^<>]{0,80}> ?)?(${namePattern})`,
  'u',
);
/** `const x = …`. */
const assigned = new RegExp(
  `^(?:export |default |declare ){0,3}(?:const|let|var) (${namePattern})`,
  'u',
);
/** `name(…`, `Type Class::name(…`. */
const beforeParameters = new RegExp(`(${namePattern}) ?(?:<[^<>]{0,80}>)?\\(`, 'u');
/** `list.forEach((each) => {` has a body but is a call. `function (each) {` has no name. */
const unnamed = /\.|^function$/;
/** `(defun name …`, `(define (name …`. */
const lispName = /^\(def[\w-]{0,40}[*!]? \(?([^\s()[\]{}"';]{1,100})/u;
/** `create table if not exists schema.name`. */
const sqlName =
  /^(?:create|alter) (?:(?:or|replace|temp|temporary|unique|materialized|unlogged|virtual|global|local) ){0,6}[a-z]+ (?:if (?:not )?exists )?([\p{L}\p{N}_."`[\]]{1,160})/iu;
/** `name()`, `function name`, `target:`. */
const shellName = /^(?:function )?([\w.-]{1,80})/u;
/** An implementation for a type that is defined elsewhere. */
const implementation = /^(?:pub(?:\([a-z]{1,10}\))? )?(?:unsafe )?impl\b/;

/** Returns the name in a signature, or null. */
function nameIn(format: TextFormat, signature: string): string | null {
  if (format === 'lisp') return lispName.exec(signature)?.[1] ?? null;
  if (format === 'sql') return sqlName.exec(signature)?.[1] ?? null;
  if (format === 'shell') return shellName.exec(signature)?.[1] ?? null;
  if (implementation.test(signature)) return null;
  const name = assigned.exec(signature)?.[1] ?? afterKeyword.exec(signature)?.[1];
  if (name !== undefined) return name;
  const called = beforeParameters.exec(signature)?.[1] ?? null;
  return called === null || unnamed.test(called) ? null : called;
}

/** Names of definitions and of minor definitions, separated by spaces; '' for none. */
export type ChunkNames = Pick<Chunk, 'names' | 'members'>;

export const noNames: ChunkNames = { names: '', members: '' };

/** Finds the names of the definitions of a text line by line. */
export class DefinitionNames {
  readonly #format: TextFormat;
  readonly #minor: MinorDefinitions | null;

  constructor(lines: Lines, source: ClassifiedText, format: TextFormat) {
    this.#format = format;
    this.#minor =
      format === 'code' || format === 'shell' ? new MinorDefinitions(lines, source) : null;
  }

  /** Whether texts of this format define names. */
  get hasNames(): boolean {
    return definesNames(this.#format);
  }

  /** Whether a line only mentions a type that is defined elsewhere. */
  isUse(line: number): boolean {
    return this.#minor?.isUse(line) === true;
  }

  /** Returns the name in a signature that starts on a line, or null. */
  ofSignature(line: number, signature: string): string | null {
    if (this.isUse(line)) return null;
    return (
      this.#minor?.byLanguageRules(line) ??
      nameIn(this.#format, signature.slice(0, maxSignatureChars))
    );
  }

  /** Returns the name that a line defines in which no section starts, or null. */
  ofMinor(line: number): string | null {
    return this.#minor?.at(line) ?? null;
  }
}

/** Collects the names of definitions chunk by chunk. Chunks must come in text order. */
export class DefinedNames {
  readonly #marks: readonly SectionMark[];
  readonly #names: DefinitionNames;
  #next = 0;

  constructor(
    { marks, lines }: Pick<TextStructure, 'marks' | 'lines'>,
    source: ClassifiedText,
    format: TextFormat,
  ) {
    this.#marks = definesNames(format) ? marks : [];
    this.#names = new DefinitionNames(lines, source, format);
  }

  /** Returns the names defined in the lines `first` to `last`. */
  within(first: number, last: number): ChunkNames {
    const names: (string | null)[] = [];
    const members: (string | null)[] = [];
    let line = first;
    let mark = this.#marks[this.#next];
    for (; mark !== undefined && mark.headingLine <= last; mark = this.#marks[++this.#next]) {
      if (mark.headingLine < first || mark.label === null) continue;
      members.push(...this.#between(line, mark.headingLine));
      names.push(this.#names.ofSignature(mark.headingLine, mark.label));
      line = mark.headingLine + 1;
    }
    members.push(...this.#between(line, last + 1));
    return { names: join(names), members: join(members) };
  }

  /** Returns the minor definitions from one line up to, but not including, another. */
  #between(from: number, to: number): (string | null)[] {
    return Array.from({ length: Math.max(0, to - from) }, (_, at) =>
      this.#names.ofMinor(from + at),
    );
  }
}

function join(names: readonly (string | null)[]): string {
  return names.filter((name) => name !== null).join(' ');
}

function definesNames(format: TextFormat): boolean {
  return format === 'code' || format === 'lisp' || format === 'sql' || format === 'shell';
}
