/** A part of a line of code. */
export interface CodeToken {
  readonly text: string;
  readonly kind: 'comment' | 'string' | 'number' | 'keyword' | null;
}

interface Grammar {
  readonly line: readonly string[];
  readonly block: readonly (readonly [start: string, end: string])[];
  readonly quotes: string;
  readonly keywords: ReadonlySet<string>;
}

const maxStringChars = 2000;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const c: Grammar = {
  line: ['//'],
  block: [['/*', '*/']],
  quotes: '"\'`',
  keywords: words(
    'abstract as async await bool boolean break case catch char class const constexpr continue default defer delete do double else enum export extends extern false final finally float fn for from func function go goto if impl implements import in inline instanceof int interface internal is let long loop map match mod module move mut namespace new nil null nullptr of operator override package private protected pub public readonly record ref return satisfies sealed select self short signed sizeof static string struct super switch template this throw throws trait true try type typedef typeof undefined union unsafe unsigned use using val var virtual void volatile where while with yield',
  ),
};
const python: Grammar = {
  line: ['#'],
  block: [
    ['"""', '"""'],
    ["'''", "'''"],
  ],
  quotes: '"\'',
  keywords: words(
    'and as assert async await begin break case class continue def del do elif else elsif end ensure except export False finally for from function global if import in is lambda local match module None nil nonlocal not or pass raise require rescue return self then True try unless until while with yield true false fi done esac',
  ),
};
const sql: Grammar = {
  line: ['--'],
  block: [['/*', '*/']],
  quotes: '"\'',
  keywords: words(
    'add all alter and as asc begin between by case cascade check column commit constraint create default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references right rollback select set table then union unique update using values view when where with',
  ),
};
const data: Grammar = {
  line: ['#'],
  block: [],
  quotes: '"\'',
  keywords: words('true false null yes no on off'),
};
const markup: Grammar = { line: [], block: [['<!--', '-->']], quotes: '"', keywords: words('') };

const grammars: readonly (readonly [RegExp, Grammar])[] = [
  [/^(py|pyi|rb|sh|bash|zsh|ex|exs|jl|r|pl|lua|mk|dockerfile|makefile)$/, python],
  [/^(sql|psql)$/, sql],
  [/^(json|jsonc|yaml|yml|toml|ini|cfg|conf|env|properties)$/, data],
  [/^(html|htm|xml|svg|vue|svelte)$/, markup],
  [
    /^(js|jsx|mjs|cjs|ts|tsx|mts|cts|java|kt|kts|scala|go|rs|c|h|cc|cpp|hpp|cs|swift|dart|php|proto|css|scss|less|zig|groovy|gradle)$/,
    c,
  ],
];

/** Splits code into tokens by line. A language without a grammar yields plain lines. */
export function tokenize(code: string, name: string): CodeToken[][] {
  const grammar = grammarOf(name);
  const lines: CodeToken[][] = [[]];
  for (const { text, kind } of grammar === null
    ? [{ text: code, kind: null }]
    : tokens(code, grammar)) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, kind });
    }
  }
  return lines;
}

function grammarOf(name: string): Grammar | null {
  const extension = name.toLowerCase().split('.').at(-1) ?? '';
  return grammars.find(([pattern]) => pattern.test(extension))?.[1] ?? null;
}

function* tokens(code: string, grammar: Grammar): Generator<CodeToken> {
  const isCaseless = grammar === sql;
  let plain = '';
  let at = 0;
  while (at < code.length) {
    const end = commentEnd(code, at, grammar) ?? stringEnd(code, at, grammar);
    const kind = end === null ? null : end.kind;
    const word =
      end === null
        ? (/^[\p{L}_$][\p{L}\p{N}_$]*|^\d[\w.]*/u.exec(code.slice(at, at + 100))?.[0] ?? null)
        : null;
    const text = end === null ? (word ?? code.charAt(at)) : code.slice(at, end.at);
    const found =
      kind ?? (word === null ? null : kindOf(isCaseless ? word.toLowerCase() : word, grammar));
    at += text.length;
    if (found === null) {
      plain += text;
      continue;
    }
    if (plain !== '') yield { text: plain, kind: null };
    plain = '';
    yield { text, kind: found };
  }
  if (plain !== '') yield { text: plain, kind: null };
}

function kindOf(word: string, { keywords }: Grammar): CodeToken['kind'] {
  if (/^\d/.test(word)) return 'number';
  return keywords.has(word) ? 'keyword' : null;
}

interface TokenEnd {
  readonly at: number;
  readonly kind: 'comment' | 'string';
}

function commentEnd(code: string, at: number, { line, block }: Grammar): TokenEnd | null {
  for (const [start, end] of block) {
    if (!code.startsWith(start, at)) continue;
    const close = code.indexOf(end, at + start.length);
    return { at: close < 0 ? code.length : close + end.length, kind: 'comment' };
  }
  if (!line.some((start) => code.startsWith(start, at))) return null;
  const close = code.indexOf('\n', at);
  return { at: close < 0 ? code.length : close, kind: 'comment' };
}

/**
 * A string ends at its quote, or at the end of the line. A template may have several lines. A longer one is plain text,
 * because a text of many open quotes would otherwise take quadratic time.
 */
function stringEnd(code: string, at: number, { quotes }: Grammar): TokenEnd | null {
  const quote = code.charAt(at);
  if (!quotes.includes(quote)) return null;
  for (let end = at + 1; end < Math.min(code.length, at + maxStringChars); end++) {
    const char = code.charAt(end);
    if (char === '\\') end++;
    else if (char === quote) return { at: end + 1, kind: 'string' };
    else if (char === '\n' && quote !== '`') return null;
  }
  return null;
}
