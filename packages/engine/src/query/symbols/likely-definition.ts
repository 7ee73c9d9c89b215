const keyword =
  '(?:class|interface|enum|struct|union|trait|impl|fn|func|fun|function|namespace|module|mod|type|typedef|protocol|record|object|def|defp|defn|defun|' +
  'defmacro|defmodule|define|proc|sub|macro|macro_rules!|const|let|var|val|static|constexpr|table|view|procedure|val)';

/**
 * Estimates from one line whether it defines a name: 3 after a keyword, 2 before a body, 1 for other forms, 0 for a use.
 */
export function definitionLikelihood(line: string, name: string): number {
  const text = line.slice(0, 1000);
  const at = text.indexOf(name);
  if (at === -1) return 0;
  const before = text.slice(0, at).trimStart();
  const after = text.slice(at + name.length);
  if (
    new RegExp(
      `(?:^|[^\\w$.])${keyword}[\\s*&(]{1,4}(?:\\([^()]{0,80}\\)\\s?)?(?:\\w+(?:::|\\.))*$`,
      'u',
    ).test(before)
  )
    return 3;
  if (
    /^\s*(?:<[^<>]{0,80}>)?\s*\(/.test(after) &&
    !/[.=(,!]\s*$|\b(?:return|new|await|throw|yield)\b/.test(before)
  )
    return /[{:)]\s*$/.test(text) ? 2 : 1;
  if (/^\s*(?:[:?]|=(?!=)|:=|<-)/.test(after) && !/[.(,]\s*$/.test(before)) return 1;
  return /^\}\s*$/.test(before) || /^(?:typedef|using)\b/.test(before) ? 2 : 0;
}
