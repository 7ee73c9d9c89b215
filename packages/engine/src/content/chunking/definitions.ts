import type { TextFormat } from './format.js';

/*
 * Recognises a definition by the start of its line.
 *
 * Every pattern is sticky and starts at the first non-blank character of a line. Repetitions are bounded or disjoint,
 * so a hostile line takes linear time.
 */

const modifiers =
  '(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|async|override|virtual|' +
  'inline|extern|const|unsafe|open|data|partial|readonly|suspend|local|pub(?:\\([a-z]{1,10}\\))?)[ \\t]+){0,6}';

/** `class X`, `def f`, `fn f`, `func (r T) F`, `impl<T> X`, … in any language. */
const keyword = new RegExp(
  `${modifiers}(?:class|interface|enum|struct|trait|impl|fn|func|fun|function|namespace|module|defmodule|type|protocol|` +
    'extension|union|record|object|def|defp|defmacro|proc|sub|message|service|rpc|resource|variable|macro_rules!)' +
    '[ \\t*<(]{1,4}[A-Za-z_$@"(\\[\'.<]',
  'y',
);
/** `const f = (x) =>`, `export const x = …`. */
const assigned =
  /(?:export[ \t]+(?:default[ \t]+)?(?:const|let|var|async|abstract)[ \t]+\S|(?:const|let|var)[ \t]+[\w$]{1,80}[ \t]*(?::[^=\n]{1,120})?=[ \t]*(?:async[ \t]*)?(?:function\b|\([^()\n]{0,160}\)[^=\n]{0,80}=>|[\w$]{1,40}[ \t]*=>|\([ \t]*$))/my;
const control =
  /(?:if|else|for|foreach|while|do|switch|case|match|catch|try|finally|with|return|throw|new|await|yield|using|lock|when|loop|select|go|defer|elif|unless|until|assert|print|delete|typeof|in|of)\b/y;
/** `name(…`, `int *name(…`, `Type Class::name(…`: a definition if the line also ends like one. */
const callable = /[A-Za-z_~#$][\w$:<>,*&?.[\]~# \t]{0,160}?[ \t*&]?[\w$~]{1,80}[ \t]*\(/y;
const lisp = /\(def[\w-]{0,40}[*!]?[ \t(]/y;
const sql =
  /(?:create|alter)[ \t]+(?:or[ \t]+replace[ \t]+)?(?:(?:temp|temporary|unique|materialized|unlogged|virtual|global|local)[ \t]+){0,3}(?:table|view|function|procedure|index|trigger|type|schema|sequence|extension|policy|role|database)\b/iy;
const shell =
  /(?:function[ \t]+[\w:.-]{1,80}|[\w:.-]{1,80}[ \t]*\(\)|[\w./%$(){} -]{1,120}:(?![=:]))/y;

const openingBrace = 123;
const hash = 35;
const closingParenthesis = 41;

/** Whether the line from `textStart` to `end` starts a definition. `column` is its indentation. */
export function isDefinition(
  format: TextFormat,
  text: string,
  textStart: number,
  end: number,
  column: number,
): boolean {
  if (format === 'lisp') return column === 0 && at(lisp, text, textStart);
  if (format === 'sql') return at(sql, text, textStart);
  if (format === 'shell') return column === 0 && at(shell, text, textStart);
  if (!beginsWord(text.charCodeAt(textStart))) return false;
  if (at(keyword, text, textStart)) return true;
  if (at(assigned, text, textStart)) return column === 0;
  return (
    endsLikeCallable(text, textStart, end, column) &&
    !at(control, text, textStart) &&
    at(callable, text, textStart)
  );
}

/** Whether the line opens a body or, at the left margin, closes a parameter list without a semicolon (C). */
function endsLikeCallable(text: string, textStart: number, end: number, column: number): boolean {
  const last = text.charCodeAt(end - 1);
  if (last === openingBrace) return true;
  if (column > 0 || last !== closingParenthesis) return false;
  return text.charCodeAt(textStart) !== hash && hasSpaceBeforeParenthesis(text, textStart, end);
}

/** `int main(void)` has a type before its name. A call at the left margin, `main()`, has none. */
function hasSpaceBeforeParenthesis(text: string, textStart: number, end: number): boolean {
  // Search this line only. A search to the end of the text would repeat for every line.
  const line = text.slice(textStart, end);
  const parenthesis = line.indexOf('(');
  return parenthesis !== -1 && line.lastIndexOf(' ', parenthesis) !== -1;
}

function beginsWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    code === 36 ||
    code === 126 ||
    code === 35
  );
}

function at(pattern: RegExp, text: string, index: number): boolean {
  pattern.lastIndex = index;
  return pattern.test(text);
}
