import { parseEscape } from './parse-escape.js';
import { patternError, type PatternReader } from './reader.js';
import { escapeCharacter, type Flags } from './syntax.js';

const maxDepth = 50;

const posix: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\u{0}-\\u{7f}',
  blank: '\\t\\u{20}',
  cntrl: '\\u{0}-\\u{1f}\\u{7f}',
  digit: '0-9',
  graph: '\\u{21}-\\u{7e}',
  lower: 'a-z',
  print: '\\u{20}-\\u{7e}',
  punct: '\\u{21}-\\u{2f}\\u{3a}-\\u{40}\\u{5b}-\\u{60}\\u{7b}-\\u{7e}',
  space: '\\t\\n\\v\\f\\r\\u{20}',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/**
 * Parses a class after its `[`, with nested classes and set operations, and returns a class for JavaScript's `v` mode.
 */
export function parseClass(reader: PatternReader, flags: Flags, depth = 0): string {
  if (depth > maxDepth) throw patternError('its classes are nested too deeply');
  const not = reader.take('^') ? '^' : '';
  let left: string | null = null;
  let operator = '';
  let items = leadingItems(reader);
  for (;;) {
    skip(reader, flags);
    if (reader.isAtEnd) throw patternError('a class `[` is not closed');
    if (reader.take(']')) return `[${not}${combineSets(left, operator, items)}]`;
    const next = ['&&', '--', '~~'].find((each) => reader.take(each));
    if (next === undefined) {
      items += parseItem(reader, flags, depth);
      continue;
    }
    left = combineSets(left, operator, items);
    operator = next;
    items = '';
  }
}

/** Parses the start, where `-` is literal, and so is a `]` that would make the class empty. */
function leadingItems(reader: PatternReader): string {
  let items = '';
  while (reader.peek() === '-') items += escapeCharacter(reader.next());
  if (items === '' && reader.take(']')) items = escapeCharacter(']');
  return items;
}

function combineSets(left: string | null, operator: string, right: string): string {
  if (left === null) return right;
  switch (operator) {
    case '&&':
    case '--':
      return `[${left}]${operator}[${right}]`;
    default:
      return `[[${left}]--[${right}]][[${right}]--[${left}]]`;
  }
}

function parseItem(reader: PatternReader, flags: Flags, depth: number): string {
  if (reader.peek() === '[') {
    const named = reader.takeMatch(/^\[:\^?[a-z]+:\]/);
    const known = posix[named.replace(/[^a-z]/g, '')];
    if (known !== undefined) return `[${named.includes('^') ? '^' : ''}${known}]`;
    // Other names in colons are classes of these letters.
    if (named !== '') reader.rewind(reader.at - named.length);
    reader.next();
    return parseClass(reader, flags, depth + 1);
  }
  const start = reader.at;
  const from = parseMember(reader, flags);
  skip(reader, flags);
  if (reader.peek() !== '-' || [']', '-', ''].includes(reader.peek(1))) {
    return from.kind === 'literal' ? escapeCharacter(from.text) : from.text;
  }
  reader.next();
  skip(reader, flags);
  const to = parseMember(reader, flags);
  const isRange =
    from.kind === 'literal' &&
    to.kind === 'literal' &&
    (from.text.codePointAt(0) ?? 0) <= (to.text.codePointAt(0) ?? 0);
  if (!isRange) throw patternError(`\`${reader.since(start)}\` is not a range of characters`);
  return `${escapeCharacter(from.text)}-${escapeCharacter(to.text)}`;
}

interface ClassMember {
  readonly kind: 'literal' | 'set';
  readonly text: string;
}

function parseMember(reader: PatternReader, flags: Flags): ClassMember {
  const start = reader.at;
  const char = reader.next();
  if (char === '') throw patternError('a class `[` is not closed');
  if (char !== '\\') return { kind: 'literal', text: char };
  const escape = parseEscape(reader, flags);
  if (escape.kind === 'literal') return { kind: 'literal', text: escape.char };
  if (escape.kind === 'set') return { kind: 'set', text: escape.set };
  throw patternError(`\`${reader.since(start)}\` has no meaning inside a class`);
}

function skip(reader: PatternReader, flags: Flags): void {
  if (flags.extended) reader.skipWhiteSpace();
}
