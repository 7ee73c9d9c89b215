import { parseEscape } from './parse-escape.js';
import { refused, type Reader } from './reader.js';
import { escapedCharacter, type Flags } from './syntax.js';

const DEPTH_AT_MOST = 50;

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

/** Parses a class after its `[`, including nested classes and set operations, into one for JavaScript's `v` mode. */
export function parseClass(reader: Reader, flags: Flags, depth = 0): string {
  if (depth > DEPTH_AT_MOST) throw refused('its classes are nested too deeply');
  const not = reader.take('^') ? '^' : '';
  let left: string | null = null;
  let operator = '';
  let items = leadingItems(reader);
  for (;;) {
    skip(reader, flags);
    if (reader.isAtEnd) throw refused('a class `[` is not closed');
    if (reader.take(']')) return `[${not}${combined(left, operator, items)}]`;
    const next = ['&&', '--', '~~'].find((each) => reader.take(each));
    if (next === undefined) {
      items += item(reader, flags, depth);
      continue;
    }
    left = combined(left, operator, items);
    operator = next;
    items = '';
  }
}

/** `-` stands for itself at the start, and so does a `]` that would otherwise make the class empty. */
function leadingItems(reader: Reader): string {
  let items = '';
  while (reader.peek() === '-') items += escapedCharacter(reader.next());
  if (items === '' && reader.take(']')) items = escapedCharacter(']');
  return items;
}

function combined(left: string | null, operator: string, right: string): string {
  if (left === null) return right;
  switch (operator) {
    case '&&':
    case '--':
      return `[${left}]${operator}[${right}]`;
    default:
      return `[[${left}]--[${right}]][[${right}]--[${left}]]`;
  }
}

function item(reader: Reader, flags: Flags, depth: number): string {
  if (reader.peek() === '[') {
    const named = reader.takeMatch(/^\[:\^?[a-z]+:\]/);
    const known = posix[named.replace(/[^a-z]/g, '')];
    if (known !== undefined) return `[${named.includes('^') ? '^' : ''}${known}]`;
    // Any other name in colons is a class of these letters.
    if (named !== '') reader.rewind(reader.at - named.length);
    reader.next();
    return parseClass(reader, flags, depth + 1);
  }
  const start = reader.at;
  const from = member(reader, flags);
  skip(reader, flags);
  if (reader.peek() !== '-' || [']', '-', ''].includes(reader.peek(1))) {
    return from.kind === 'literal' ? escapedCharacter(from.text) : from.text;
  }
  reader.next();
  skip(reader, flags);
  const to = member(reader, flags);
  const isRange =
    from.kind === 'literal' &&
    to.kind === 'literal' &&
    (from.text.codePointAt(0) ?? 0) <= (to.text.codePointAt(0) ?? 0);
  if (!isRange) throw refused(`\`${reader.since(start)}\` is not a range of characters`);
  return `${escapedCharacter(from.text)}-${escapedCharacter(to.text)}`;
}

interface Member {
  readonly kind: 'literal' | 'set';
  readonly text: string;
}

function member(reader: Reader, flags: Flags): Member {
  const start = reader.at;
  const char = reader.next();
  if (char === '') throw refused('a class `[` is not closed');
  if (char !== '\\') return { kind: 'literal', text: char };
  const escape = parseEscape(reader, flags);
  if (escape.kind === 'literal') return { kind: 'literal', text: escape.char };
  if (escape.kind === 'set') return { kind: 'set', text: escape.set };
  throw refused(`\`${reader.since(start)}\` has no meaning inside of a class`);
}

function skip(reader: Reader, flags: Flags): void {
  if (flags.extended) reader.skipWhiteSpace();
}
