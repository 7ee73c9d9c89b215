import type { Lines } from './lines.js';

/** Of a longer signature, only the first line is shown. */
const maxLines = 60;
const maxChars = 2000;
const maxDepth = 8;
/** Starts of lines that continue a signature that seems complete. */
const continuation =
  /^(?:where\b|throws\b|extends\b|implements\b|permits\b|requires\b|with\b|->|=>|: )/;
const stringLiteral = /"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/y;
const singleQuoted = /'(?:\\.|[^'\\])*'/y;
/** In Rust and similar languages, a single quote may begin a lifetime. */
const characterLiteral = /'(?:\\.[^']{0,8}|[^'\\])'/y;
const comment = /\/\/.*|\/\*.*?(?:\*\/|$)|#(?=\s).*/y;
const trailingSpace = /\s+$/;

export interface DefinitionSignature {
  /** On one line, with its indentation. */
  readonly text: string;
  /** The last line, 0-based. */
  readonly last: number;
  /** Whether all brackets are closed, except the brace of the body. */
  readonly isClosed: boolean;
}

/** Returns the signature that starts on a line, including its continuation lines. */
export function signatureAt(
  lines: Lines,
  at: number,
  { hasLifetimes = false } = {},
): DefinitionSignature {
  const first = lines.slice(at).trimEnd();
  const alone: DefinitionSignature = { text: first, last: at, isClosed: false };
  const open: string[] = [];
  let text = '';
  for (let line = at; line < Math.min(lines.count, at + maxLines); line++) {
    const code = readCode(
      lines
        .slice(line)
        .trimEnd()
        .slice(0, maxChars + 1),
      open,
      hasLifetimes,
    );
    text = line === at ? code : join(text, code.trim());
    if (text.length > maxChars || open.length > maxDepth) return alone;
    if (!isComplete(open)) continue;
    if (continues(lines, line, text)) continue;
    return { text: line === at ? first : text, last: line, isClosed: true };
  }
  return alone;
}

/** Tracks the brackets of a line in `open`. Returns the line without comments. */
function readCode(line: string, open: string[], hasLifetimes: boolean): string {
  let code = '';
  for (let at = 0; at < line.length;) {
    const character = line[at] ?? '';
    const quoted = quotedAt(line, at, hasLifetimes);
    const skipped = quoted ?? commentAt(line, at);
    if (skipped === null) trackBracket(character, line, at, open);
    code += skipped === null ? character : (quoted ?? '');
    at += skipped?.length ?? 1;
  }
  return code.replace(trailingSpace, '');
}

function quotedAt(line: string, at: number, hasLifetimes: boolean): string | null {
  const character = line[at];
  if (character === "'") return match(hasLifetimes ? characterLiteral : singleQuoted, line, at);
  return character === '"' || character === '`' ? match(stringLiteral, line, at) : null;
}

function commentAt(line: string, at: number): string | null {
  const character = line[at];
  if (character !== '/' && character !== '#') return null;
  return at === 0 || /[\s(,{]/.test(line[at - 1] ?? '') ? match(comment, line, at) : null;
}

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function trackBracket(character: string, line: string, at: number, open: string[]): void {
  if (character === '(' || character === '[' || character === '{') open.push(character);
  else if (character === '<' && at === line.length - 1) open.push('<');
  else if (character === '>' && open.at(-1) === '<' && !/[-=]/.test(line[at - 1] ?? '')) open.pop();
  else if (open.at(-1) === closers[character]) open.pop();
}

/** Only the brace of the body may be open. */
function isComplete(open: readonly string[]): boolean {
  return open.length === 0 || (open.length === 1 && open[0] === '{');
}

function continues(lines: Lines, line: number, text: string): boolean {
  if (/[{;:]$/.test(text) || line + 1 >= lines.count) return false;
  if (/\bwhere$|\bwhere\b.*,$|<[^>]*,$/.test(text)) return true;
  return continuation.test(lines.slice(line + 1).trim());
}

function join(text: string, more: string): string {
  if (more === '') return text;
  if (/[([<]$/.test(text)) return text + more;
  if (/^[)\]>]/.test(more)) return text.replace(/,$/, '') + more;
  return `${more.startsWith('}') ? text.replace(/,$/, '') : text} ${more}`;
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
