import type { Format } from './format.js';
import type { Mark } from './structure.js';

/*
 * The name that a definition gives, in its signature (of at most 160 characters): after its keyword, or before its
 * parameters. Repetitions are bounded or disjoint, so that a hostile signature takes linear time.
 */

const NAME = '[\\p{L}_$~@][\\p{L}\\p{N}_$]*(?:(?:::|\\.)~?[\\p{L}_$][\\p{L}\\p{N}_$]*){0,8}[?!]?';
/** `class X`, `fn f`, `func (r T) F`, `struct S<T>`. */
const afterKeyword = new RegExp(
  '(?<![\\p{L}\\p{N}_$.])(?:class|interface|enum|struct|trait|fn|func|fun|function|namespace|module|defmodule|type|protocol|extension|' +
    'union|record|object|def|defp|defmacro|proc|sub|message|service|rpc|macro_rules!)[ *]{1,4}' +
    `(?:\\([^()]{0,80}\\) ?)?(?:<[^<>]{0,80}> ?)?(${NAME})`,
  'u',
);
/** `const x = …`. */
const assigned = new RegExp(`^(?:export |default |declare ){0,3}(?:const|let|var) (${NAME})`, 'u');
/** `name(…`, `Type Class::name(…`. */
const beforeParameters = new RegExp(`(${NAME}) ?(?:<[^<>]{0,80}>)?\\(`, 'u');
/** `(defun name …`, `(define (name …`. */
const lispName = /^\(def[\w-]{0,40}[*!]? \(?([^\s()[\]{}"';]{1,100})/u;
/** `create table if not exists schema.name`. */
const sqlName =
  /^(?:create|alter) (?:(?:or|replace|temp|temporary|unique|materialized|unlogged|virtual|global|local) ){0,6}[a-z]+ (?:if (?:not )?exists )?([\p{L}\p{N}_."`[\]]{1,160})/iu;
/** `name()`, `function name`, `target:`. */
const shellName = /^(?:function )?([\w.-]{1,80})/u;
/** It is written about something that is defined elsewhere. */
const aboutAnother = /^(?:pub(?:\([a-z]{1,10}\))? )?(?:unsafe )?impl\b/;

/** The name in a signature; null when there is none to see. */
function definedName(format: Format, signature: string): string | null {
  if (format === 'lisp') return lispName.exec(signature)?.[1] ?? null;
  if (format === 'sql') return sqlName.exec(signature)?.[1] ?? null;
  if (format === 'shell') return shellName.exec(signature)?.[1] ?? null;
  if (aboutAnother.test(signature)) return null;
  for (const pattern of [assigned, afterKeyword, beforeParameters]) {
    const name = pattern.exec(signature)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

/** Follows the definitions of a text from chunk to chunk; chunks must come in order. */
export class DefinedNames {
  readonly #marks: readonly Mark[];
  readonly #format: Format;
  #next = 0;

  constructor(marks: readonly Mark[], format: Format) {
    this.#marks = definesNames(format) ? marks : [];
    this.#format = format;
  }

  /** Names of what is defined from line `first` to `last`, separated by spaces; '' for none. */
  within(first: number, last: number): string {
    const names: string[] = [];
    let mark = this.#marks[this.#next];
    for (; mark !== undefined && mark.at <= last; mark = this.#marks[++this.#next]) {
      if (mark.at < first || mark.label === null) continue;
      const name = definedName(this.#format, mark.label);
      if (name !== null) names.push(name);
    }
    return names.join(' ');
  }
}

function definesNames(format: Format): boolean {
  return format === 'code' || format === 'lisp' || format === 'sql' || format === 'shell';
}
