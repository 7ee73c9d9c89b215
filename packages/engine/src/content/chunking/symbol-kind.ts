import type { SymbolKind } from '../../api/schemas.js';

const modifiers =
  '(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|async|override|virtual|inline|extern|unsafe|' +
  'open|data|partial|readonly|suspend|local|case|template ?<[^<>]{0,200}>|pub(?:\\([a-z]{1,10}\\))?)\\s+){0,6}';
const keyword = new RegExp(
  `^${modifiers}(?:const\\s+(?=enum|fn|unsafe))?(class|interface|protocol|struct|union|record|trait|enum|type|typedef|namespace|module|defmodule|mod|` +
    'object|function|func|fun|fn|def|defp|sub|proc|macro|macro_rules!|defmacro|const|let|var|val)\\b',
);
const kindsByKeyword: Readonly<Record<string, SymbolKind>> = {
  class: 'class',
  object: 'class',
  record: 'class',
  interface: 'interface',
  protocol: 'interface',
  struct: 'struct',
  union: 'struct',
  trait: 'trait',
  enum: 'enum',
  type: 'type',
  typedef: 'type',
  namespace: 'module',
  module: 'module',
  defmodule: 'module',
  mod: 'module',
  macro: 'macro',
  'macro_rules!': 'macro',
  defmacro: 'macro',
};
const functionWord = /^(?:function|func|fun|fn|def|defp|sub|proc)$/;
const variableWord = /^(?:const|let|var|val)$/;
const goType = /^type\s+\w+\s*(?:\[[^\]]*\]\s*)?(struct|interface)\b/;
const holdsFunction = /=\s?(?:async\s?)?(?:function\b|\([^()]{0,300}\)[^=]{0,80}=>|\w{1,40}\s?=>)/;
const parameters = /^[^=({]{1,300}\(/;
const constant =
  /^(?:.*\s)?[A-Z][A-Z0-9_]+\s*(?::[^=]{1,80})?=|^(?:export\s+)?const\s|\b(?:static\s+final|final\s+static|constexpr)\b/;
const typeParent =
  /\b(?:class|interface|protocol|struct|trait|impl|object|record|enum|extension)\b/;

/** Returns the kind of a definition from its signature and that of the definition around it. */
export function symbolKindOf(signature: string, parent: string | null): SymbolKind {
  if (/^#\s*define\b/.test(signature)) return 'macro';
  const [, goKind] = goType.exec(signature) ?? [];
  if (goKind !== undefined) return goKind === 'struct' ? 'struct' : 'interface';
  const isMember =
    /^func\s?\(/.test(signature) || (parent !== null && typeParent.test(parent.slice(0, 200)));
  const callable = isMember ? 'method' : 'function';
  const [, word = ''] = keyword.exec(signature) ?? [];
  const isTypedFunction =
    /^(?:struct|union|enum)$/.test(word) && /^[^{;=]*\w\s*\([^;]*$/.test(signature);
  if (functionWord.test(word) || isTypedFunction) return callable;
  const kind = Object.hasOwn(kindsByKeyword, word) ? kindsByKeyword[word] : undefined;
  if (kind !== undefined) return kind;
  if (holdsFunction.test(signature)) return callable;
  if (variableWord.test(word)) return constant.test(signature) ? 'constant' : 'variable';
  if (parameters.test(signature)) return callable;
  return constant.test(signature) ? 'constant' : 'variable';
}
