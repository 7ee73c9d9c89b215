import type { SymbolKind } from '../../api/schemas.js';
import { mediaTypeOf } from '@trove/text/media-types';
import { definitionsOf, type TextDefinition } from './code-definitions.js';
import { columnOf, DefinitionEnds } from './definition-extent.js';
import { DefinitionNames } from './defined-names.js';
import { formatOf, hasOutline, isProse, type ClassifiedText } from './format.js';
import { Lines } from './lines.js';
import { quotedLines } from './outline-definitions.js';
import { symbolKindOf } from './symbol-kind.js';

/** The definition of a name. Lines are numbered from 1. */
export interface NamedDefinition {
  readonly lines: readonly [from: number, to: number];
  /** The name as the text writes it, without the type or module before it. */
  readonly definedName: string;
  /** The line with the name. */
  readonly nameLine: number;
  /** On one line, without indentation. */
  readonly signature: string;
  readonly kind: SymbolKind;
  /** The programming language, such as `typescript`; null if unknown. */
  readonly language: string | null;
  /** The name of the type that contains it, or null. */
  readonly container: string | null;
}

const maxSignatureChars = 200;
/** Definitions of one name in one text. */
const maxDefinitions = 100;
const macroName = /^\s*#\s*define\s+(\w{1,200})/;
const groupedValue = /^\t(\w{1,200})(?:\s|$)/;
const maxGroupLines = 500;
const receiver = /^func\s?\(\s?(?:\w{1,40}\s)?\*?(\w{1,80})/;
const implementedType =
  /^(?:unsafe )?impl\b.{0,200}?(?:\bfor )?(\w{1,80})(?:<[^{}]*>)?\s*(?:where\b.*)?\{?$/;

/** Finds the definitions of a name in a text, in any case. */
export function namedDefinitions(source: ClassifiedText, name: string): NamedDefinition[] {
  const format = formatOf(source);
  if (!hasOutline(format) || isProse(format)) return [];
  const mentioned = source.text.toLowerCase().includes(name.toLowerCase());
  if (!mentioned) return [];
  const lines = new Lines(source.text);
  const all = definitionsOf(source, format, { includesLocal: true });
  const language = languageOf(source);
  const toNamed = (definition: TextDefinition): NamedDefinition => {
    const { line, end, text } = definition;
    const parent = parentOf(all, definition);
    const signature = text.trim();
    return {
      lines: [line + 1, end + 1],
      definedName: lastPartOf(definition.name ?? name),
      nameLine: lineOfName(lines, definition, name),
      signature:
        signature.length > maxSignatureChars
          ? `${signature.slice(0, maxSignatureChars).replace(/[\uD800-\uDBFF]$/, '')}…`
          : signature,
      kind: symbolKindOf(signature, parent?.text ?? null),
      language,
      container: containerOf(definition, parent),
    };
  };
  const found = all.filter((definition) => isNamed(definition.name, name));
  const minor = minorDefinitions(lines, source, name, all).filter(
    ({ line }) => !found.some((each) => each.line === line),
  );
  return [...found, ...minor].slice(0, maxDefinitions).map(toNamed);
}

/** Definitions on lines at which texts are not split, such as constants and fields. */
function minorDefinitions(
  lines: Lines,
  source: ClassifiedText,
  name: string,
  others: readonly TextDefinition[],
): TextDefinition[] {
  const format = formatOf(source);
  const names = new DefinitionNames(lines, source, format);
  const quoted = quotedLines(lines);
  const ends = new DefinitionEnds(lines, quoted);
  const inSignature = new Set(
    others.flatMap(({ line, last }) =>
      Array.from({ length: Math.min(last - line + 1, 60) }, (_, at) => line + at),
    ),
  );
  const groups = new ValueGroups(lines, languageOf(source) === 'go');
  const wanted = name.toLowerCase();
  const found: TextDefinition[] = [];
  for (let line = 0; line < lines.count && found.length < maxDefinitions; line++) {
    if (inSignature.has(line) || quoted.has(line)) continue;
    const text = lines.slice(line).trimEnd();
    if (!text.toLowerCase().includes(wanted) || names.isUse(line)) continue;
    const minor = macroName.exec(text)?.[1] ?? names.ofMinor(line) ?? groups.nameAt(line, text);
    if (!isNamed(minor, name)) continue;
    const first = text.trimStart().startsWith('}') ? openingLine(lines, line) : line;
    const end = first < line ? line : ends.endOf({ first, last: line });
    const signature = first < line ? `${lines.slice(first).trimEnd()} … ${text.trim()}` : text;
    found.push({
      line: first,
      start: first,
      last: line,
      end,
      text: signature,
      name: minor,
      level: 1,
    });
  }
  return found;
}

/** Go: the values of `const (` and `var (`, one on each line. */
class ValueGroups {
  readonly #lines: Lines;
  readonly #isGo: boolean;

  constructor(lines: Lines, isGo: boolean) {
    this.#lines = lines;
    this.#isGo = isGo;
  }

  nameAt(line: number, text: string): string | null {
    if (!this.#isGo || columnOf(this.#lines, line) !== 4) return null;
    const [, name] = groupedValue.exec(text) ?? [];
    if (name === undefined) return null;
    for (let at = line - 1; at >= Math.max(0, line - maxGroupLines); at--) {
      if (this.#lines.isBlank(at) || columnOf(this.#lines, at) > 0) continue;
      return /^(?:const|var) ?\($/.test(this.#lines.slice(at).trim()) ? name : null;
    }
    return null;
  }
}

/** Returns the line that opens the block that a line closes: `typedef struct {`. */
function openingLine(lines: Lines, closing: number): number {
  const column = columnOf(lines, closing);
  for (let line = closing - 1; line >= 0 && line > closing - 2000; line--) {
    if (lines.isBlank(line) || columnOf(lines, line) > column) continue;
    const text = lines.slice(line).trim();
    if (text.startsWith('}')) return closing;
    if (/^[A-Za-z]/.test(text)) return line;
  }
  return closing;
}

/** Whether a defined name is, or ends with, the wanted name, in any case. */
function isNamed(defined: string | null, wanted: string): boolean {
  return defined !== null && lastPartOf(defined).toLowerCase() === wanted.toLowerCase();
}

/** Returns `open` for `Box::open` and `#open`. */
function lastPartOf(name: string): string {
  const last = name.split(/::|\.|:/).at(-1) ?? name;
  return last.replace(/^[~#@]/, '');
}

/** Returns the line of a definition that has its name: the first of the signature that mentions it. */
function lineOfName(lines: Lines, { line, last, end }: TextDefinition, name: string): number {
  const wanted = name.toLowerCase();
  const mentions = (at: number): boolean => lines.slice(at).toLowerCase().includes(wanted);
  for (let at = line; at <= last; at++) if (mentions(at)) return at + 1;
  return (mentions(end) ? end : line) + 1;
}

/** Returns the innermost definition around another. */
function parentOf(
  all: readonly TextDefinition[],
  { line, end }: TextDefinition,
): TextDefinition | undefined {
  return all.findLast((each) => each.line < line && each.end >= end);
}

function containerOf(
  { name, text }: TextDefinition,
  parent: TextDefinition | undefined,
): string | null {
  const qualifier = name?.split(/::|\.|:/).at(-2);
  if (qualifier !== undefined) return qualifier;
  const [, received] = receiver.exec(text.trim()) ?? [];
  if (received !== undefined) return received;
  if (parent === undefined) return null;
  return parent.name ?? implementedType.exec(parent.text.trim())?.[1] ?? null;
}

function languageOf({ mediaType, path }: ClassifiedText): string | null {
  const known = mediaType ?? mediaTypeOf(path);
  return known?.split(';', 1)[0]?.trim().split('/')[1]?.replace(/^x-/, '') ?? null;
}
