import type { ClassifiedText } from './format.js';
import type { Lines } from './lines.js';
import { signatureAt, type DefinitionSignature } from './signature.js';

/*
 * Decides which lines that look like definitions really are.
 *
 * Repetitions are bounded or disjoint, so a hostile line takes linear time.
 */

const modifiers =
  '(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|async|override|virtual|inline|extern|' +
  'const|unsafe|open|data|partial|readonly|suspend|local|pub(?:\\([a-z]{1,10}\\))?)\\s+){0,6}';
/** `class X`: definitions with a keyword. */
const keywords =
  'class|interface|enum|struct|trait|impl|fn|func|fun|function|namespace|module|defmodule|type|protocol|extension|union|record|object|' +
  'def|defp|defmacro|proc|sub|message|service|rpc|resource|variable|macro_rules!';
const byKeyword = new RegExp(`^${modifiers}(?:${keywords})(?=[\\s*<(])`);
/** `type(x)` is a call and `function (x) {` has no name, but `func (r T) f` has one. */
const calledKeyword = new RegExp(
  `^${modifiers}(?:${keywords})\\*?\\s?\\((?![^()]{0,120}\\)\\s*[\\w$]+\\s*[(\\[])`,
);
const assigned = /^(?:export\s+)?(?:default\s+)?(?:const|let|var)\s/;
/** `Reply.prototype.send = function (…`, `send = async (…) => {`, `module.exports = class Application {`. */
const property =
  /^(?:[\w$]{1,80}\.){0,6}[\w$]{1,80}\s?=\s?(?:async\s?)?(?:function\b|class\b|\([^()]{0,300}\)(?:\s?:[^=]{1,80})?\s?=>)/;
/** Words of prose, as in comments and string literals. */
const prose =
  /^\S+\s+[\w'-]+\s+(?!(?:extends|implements|return|is|as|where|for|with|of)\b)[a-z'-]+\b[^({[=:<;]*$/;
/** Statements and calls that open a block. */
const blockStart =
  /^(?:if|else|for|foreach|while|do|switch|case|match|catch|try|finally|with|return|throw|new|await|yield|using|lock|when|loop|select|go|defer|elif|unless|until|assert|print|delete|typeof|synchronized|static\s*\{|guard|repeat|describe|it|test|beforeEach|afterEach|suite)\b/;
/** A call of a member, an anonymous function or accessor, or a value. */
const unnamed = /\.\s*[\w$]+\s*$|^(?:function|func|fn)\s*$|[=!]/;
const accessor = /^(?:get\s?\(\s*\)|set\s?\([^(),]*\))\s*\{$/;
/** Opens a body, or declares a type after its parameters. */
const definesAfterParameters = /\)[^()=]{0,200}\{$|\)\s*\??:\s*[^;]{1,2000};?$|\)[^()=]{0,80}$/;
/** Go: `X struct {` in a group of types. */
const groupedType = /^[A-Za-z_]\w{0,80}\s+(?:struct|interface)\s?\{/;
/** The text before the parameters of a function: a name, with a type or modifiers. */
const beforeParameters =
  /^(?=[\w$~#])(?:[\w$<>,:*&?[\]~# ]{1,200}[\s*&])?[*&]?[\w$~:#]{1,80}\s?(?:<[^<>()]{0,80}>)?$/;
/** `abstract void f();` */
const declared =
  /^\s*(?:(?:public|protected|private|internal|abstract|static|virtual|native|extern|final|default)\s+){1,4}[\w$<>,.[\]?\s]{1,120}\([^()]{0,500}\)[^(){}=]{0,80}(?:;|=>.{1,300})$/;
/** Languages with a keyword for functions. There, a name with parameters and a body is a call. */
const definesByWord =
  /\.(?:kts?|swift|scala|go|rs|rb|lua|exs?|py|jl|php|zig|groovy|gradle)$|x-(?:kotlin|swift|scala|go|rust|ruby|lua|elixir|python|julia|php|groovy)\b/;
const initializer = /^(?:[a-z]+\s){0,3}(?:init|constructor|deinit|subscript)\b/;
/** Scala and Kotlin. */
const caseClass = /^(?:[a-z]+\s){0,3}case (?:class|object)\s/;
/** Longer lines were not written by hand. */
const maxLineChars = 1000;
const lifetimeLanguage = /\.(?:rs|ml|hs)$|rust|ocaml|haskell/;

/** Returns the signature of the definition on a line; null if the line only looks like a definition. */
export function definitionAt(
  lines: Lines,
  at: number,
  { path, mediaType }: Pick<ClassifiedText, 'path' | 'mediaType'>,
): DefinitionSignature | null {
  if (lines.end(at) - lines.start(at) > maxLineChars) return null;
  const language = `${mediaType ?? ''} ${path}`;
  const hasLifetimes = lifetimeLanguage.test(language);
  const signature = signatureAt(lines, at, { hasLifetimes });
  const text = signature.text.trim();
  if (groupedType.test(text) || caseClass.test(text)) return signature;
  if (byKeyword.test(text)) {
    const isCall = calledKeyword.test(text) && !(isMethod(text) && text.endsWith('{'));
    return isCall || prose.test(text) ? null : signature;
  }
  if (assigned.test(text) || property.test(text))
    return signatureOfAssignment(lines, at, signature);
  if (definesByWord.test(language) && !initializer.test(text)) return null;
  if (!isMethod(text) || !signature.isClosed) return null;
  const isWhole = /\{$|\)\s*\??:/.test(text) || declared.test(text);
  return isWhole || opensBelow(lines, signature.last) ? signature : null;
}

/**
 * Like `definitionAt`, for a line that starts no section. Finds functions whose parameters or body continue on later
 * lines, methods without a body, and assigned functions.
 */
export function minorDefinitionAt(
  lines: Lines,
  at: number,
  source: Pick<ClassifiedText, 'path' | 'mediaType'>,
): DefinitionSignature | null {
  const start = lines.start(at);
  const text = lines.text.slice(start, Math.min(lines.end(at), start + maxLineChars)).trim();
  if (isProperty(text) || groupedType.test(text) || caseClass.test(text))
    return definitionAt(lines, at, source);
  const parenthesis = text.indexOf('(');
  if (parenthesis === -1 || blockStart.test(text)) return null;
  if (!beforeParameters.test(text.slice(0, parenthesis))) return null;
  return definitionAt(lines, at, source);
}

function opensBelow(lines: Lines, line: number): boolean {
  return (
    line + 1 < lines.count &&
    lines
      .slice(line + 1)
      .trim()
      .startsWith('{')
  );
}

/** A body that opens on the line of an assignment is not part of the signature. */
function signatureOfAssignment(
  lines: Lines,
  at: number,
  signature: DefinitionSignature,
): DefinitionSignature {
  if (signature.isClosed) return signature;
  return { text: lines.slice(at).trimEnd(), last: at, isClosed: false };
}

/** Whether a name with parameters is a definition rather than a call. */
function isMethod(text: string): boolean {
  const parenthesis = text.indexOf('(');
  const name = text.slice(0, parenthesis);
  // A string is an argument of a call.
  if (/["'`]/.test(text[parenthesis + 1] ?? '')) return false;
  if (unnamed.test(name) || blockStart.test(text) || accessor.test(text)) return false;
  if (declared.test(text)) return true;
  return (
    definesAfterParameters.test(text) &&
    !/(?:=>|\bfunction\b[^()]{0,40}\([^()]{0,200}\))\s*\{/.test(text)
  );
}

function isProperty(text: string): boolean {
  return (
    property.test(text) &&
    /[{>(]$|\bfunction\s?\([^()]{0,300}\)$/.test(text) &&
    !blockStart.test(text) &&
    !/^default\b/.test(text)
  );
}

const quoteStart = /"{3}|'{3}|(?:^|[\s;{}(),])\/\*|(?:^|\s)(?:\/\/|#\s)/;

/** Returns the lines, numbered from 0, that continue a multi-line string or comment. */
export function quotedLines(lines: Lines): ReadonlySet<number> {
  const quoted = new Set<number>();
  let end: string | null = null;
  for (let line = 0; line < lines.count; line++) {
    if (end !== null) quoted.add(line);
    end = endAfter(lines.slice(line), end);
  }
  // A quote that never ends was not a quote.
  return end === null ? quoted : new Set();
}

/** Returns the delimiter that ends the quote that is open after a line, or null. */
function endAfter(line: string, before: string | null): string | null {
  let end = before;
  for (let rest = line; ;) {
    if (end === null) {
      const start = quoteStart.exec(rest);
      const [quote = ''] = start ?? [];
      if (start === null || /(?:\/\/|#\s)$/.test(quote)) return null;
      end = quote.endsWith('/*') ? '*/' : quote;
      rest = rest.slice(start.index + quote.length);
    }
    const close = rest.indexOf(end);
    if (close === -1) return end;
    rest = rest.slice(close + end.length);
    end = null;
  }
}
