import { parseClass } from './parse-class.js';
import { lineEnd, lineStart, parseEscape } from './parse-escape.js';
import { PatternReader, patternError } from './reader.js';
import { escapeCharacter, type Flags, type LookOpening, type RegexNode } from './syntax.js';

const maxLength = 10_000;
const maxDepth = 100;
const maxCount = 100_000;

/**
 * Parses a regular expression in ripgrep's syntax (Rust's `regex`), plus look-around. It applies to single lines, so
 * nothing matches a line feed. Throws `validation_error` that names the invalid construct.
 */
export function parseRegex(pattern: string, ignoreCase: boolean): RegexNode {
  if (pattern.length > maxLength) {
    throw patternError(`is longer than ${maxLength} characters`, 'Split it.');
  }
  const parser = new RegexParser(pattern);
  return parser.parse({ ignoreCase, swapGreed: false, unicode: true, extended: false });
}

class RegexParser {
  readonly #reader: PatternReader;
  readonly #names = new Set<string>();

  constructor(pattern: string) {
    this.#reader = new PatternReader(pattern);
  }

  parse(flags: Flags): RegexNode {
    const syntax = this.#choice(flags, 0);
    if (!this.#reader.isAtEnd) throw patternError('a `)` closes no group');
    return syntax;
  }

  /** Parses alternatives up to the end of their group. Flags that one sets affect the following ones. */
  #choice(flags: Flags, depth: number): RegexNode {
    if (depth > maxDepth) throw patternError('its groups are nested too deeply');
    const parts = [this.#sequence(flags, depth)];
    while (this.#reader.take('|')) parts.push(this.#sequence(flags, depth));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(flags: Flags, depth: number): RegexNode {
    const parts: RegexNode[] = [];
    for (;;) {
      if (flags.extended) this.#reader.skipWhiteSpace();
      if (this.#reader.isAtEnd || ['|', ')'].includes(this.#reader.peek())) break;
      const part = this.#part(flags, depth);
      if (part !== null) parts.push(this.#repeated(part, flags));
    }
    return { kind: 'sequence', parts };
  }

  /** Returns null for flags, which match nothing and cannot be repeated. */
  #part(flags: Flags, depth: number): RegexNode | null {
    const char = this.#reader.next();
    switch (char) {
      case '(':
        return this.#group(flags, depth);
      case '[':
        return this.#set(parseClass(this.#reader, flags), flags);
      case '.':
        return this.#set('[^\\n]', flags);
      case '^':
        return { kind: 'assertion', source: lineStart };
      case '$':
        return { kind: 'assertion', source: lineEnd };
      case '\\':
        return this.#escape(flags);
      case '*':
      case '+':
      case '?':
      case '{':
        throw patternError(
          `\`${char}\` repeats nothing`,
          `To match the character, write \`\\${char}\`, or search literally, without \`regex\`.`,
        );
      default:
        return this.#literal(char, flags);
    }
  }

  #escape(flags: Flags): RegexNode {
    const escape = parseEscape(this.#reader, flags);
    switch (escape.kind) {
      case 'literal':
        return this.#literal(escape.char, flags);
      case 'set':
        return this.#set(escape.set, flags);
      case 'assertion':
        return { kind: 'assertion', source: escape.source };
    }
  }

  #literal(char: string, flags: Flags): RegexNode {
    if (char === '\n') throw lineFeedError();
    return {
      kind: 'characters',
      set: `[${escapeCharacter(char)}]`,
      literal: char,
      folding: foldingOf(flags),
    };
  }

  #set(set: string, flags: Flags): RegexNode {
    if (set === `[${escapeCharacter('\n')}]`) throw lineFeedError();
    const withoutLineFeed = new RegExp(set, 'v').test('\n') ? `[${set}--[\\n]]` : set;
    return {
      kind: 'characters',
      set: withoutLineFeed,
      literal: null,
      folding: foldingOf(flags),
    };
  }

  #group(flags: Flags, depth: number): RegexNode | null {
    const start = this.#reader.at - 1;
    const look = (['=', '!', '<=', '<!'] as const).find((each) => this.#reader.take(`?${each}`));
    if (look !== undefined) {
      const opening: LookOpening = `(?${look}`;
      return { kind: 'look', opening, part: this.#closed(flags, depth) };
    }
    if (this.#reader.peek() !== '?') return this.#closed(flags, depth);
    if (['?P<', '?<'].some((each) => this.#reader.take(each))) {
      const name = this.#reader.takeMatch(/^[\p{Alphabetic}_][\p{Alphabetic}\d_.[\]]*>/u);
      if (name === '' || this.#names.has(name)) {
        throw patternError(`\`${this.#reader.since(start)}\`: the name of the group is not valid`);
      }
      this.#names.add(name);
      return this.#closed(flags, depth);
    }
    this.#reader.next();
    return this.#flagged(flags, depth, start);
  }

  /** Parses `(?i)`, which sets flags until the end of the enclosing group, or a group `(?i:…)`. */
  #flagged(flags: Flags, depth: number, start: number): RegexNode | null {
    const inner = { ...flags };
    let value = true;
    for (;;) {
      const char = this.#reader.next();
      if (char === ':') return this.#closed(inner, depth);
      if (char === ')' && this.#reader.at > start + 3) {
        Object.assign(flags, inner);
        return null;
      }
      if (char === '-' && value) value = false;
      else if (char === 'i') inner.ignoreCase = value;
      else if (char === 'U') inner.swapGreed = value;
      else if (char === 'u') inner.unicode = value;
      else if (char === 'x') inner.extended = value;
      // These affect only line feeds, which no line contains.
      else if (!['m', 's', 'R'].includes(char)) {
        throw patternError(`\`${this.#reader.since(start)}\` is not a known kind of group`);
      }
    }
  }

  /** Parses a group up to its `)`. Flags inside it end there. */
  #closed(flags: Flags, depth: number): RegexNode {
    const syntax = this.#choice({ ...flags }, depth + 1);
    if (!this.#reader.take(')')) throw patternError('a group `(` is not closed');
    return syntax;
  }

  #repeated(part: RegexNode, flags: Flags): RegexNode {
    let syntax = part;
    for (let stacked = 0; ; stacked++) {
      if (flags.extended) this.#reader.skipWhiteSpace();
      const bounds = this.#bounds();
      if (bounds === null) return syntax;
      if (stacked > maxDepth) throw patternError('its repetitions are nested too deeply');
      const lazy = this.#reader.take('?');
      const { min, max } = bounds;
      syntax = {
        kind: 'repetition',
        part: syntax,
        min,
        max,
        greedy: lazy === flags.swapGreed,
      };
    }
  }

  #bounds(): { min: number; max: number | null } | null {
    const start = this.#reader.at;
    if (this.#reader.take('*')) return { min: 0, max: null };
    if (this.#reader.take('+')) return { min: 1, max: null };
    if (this.#reader.take('?')) return { min: 0, max: 1 };
    if (!this.#reader.take('{')) return null;
    const counts = this.#reader.takeMatch(
      /^\s*(?:\d{1,9}\s*(?:,\s*(?:\d{1,9})?)?|,\s*\d{1,9})\s*\}/,
    );
    const [first = '', second] = counts
      .slice(0, -1)
      .split(',')
      .map((count) => count.trim());
    const min = Number(first);
    const max = second === undefined ? min : second === '' ? null : Number(second);
    const isValid = counts !== '' && min <= (max ?? min) && Math.max(min, max ?? 0) <= maxCount;
    if (isValid) return { min, max };
    throw patternError(
      `\`${this.#reader.since(start)}\` is not a valid number of repetitions`,
      'To match the character, write `\\{`, or search literally, without `regex`.',
    );
  }
}

function foldingOf({ ignoreCase, unicode }: Flags): 'none' | 'unicode' | 'ascii' {
  if (!ignoreCase) return 'none';
  return unicode ? 'unicode' : 'ascii';
}

function lineFeedError(): Error {
  return patternError(
    '`\\n`: the search is line by line, and no line contains a line feed',
    'Search for one of the lines with `context`.',
  );
}
