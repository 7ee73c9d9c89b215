/** The character classes of git, which contain only ASCII. */
const classes: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[0-9A-Za-z]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  ['cntrl', /[^ -~\u0080-\u{10ffff}]/u],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t\n\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);

const maxClassLength = '[:xdigit:]'.length;

type CharTest = (char: string) => boolean;

export interface Bracket {
  readonly test: CharTest;
  /** Index in the pattern just after the closing bracket. */
  readonly end: number;
}

/**
 * Parses `[a-z]`, `[!0-9]` or `[[:alpha:]_]` from the opening bracket. Null for an unclosed bracket or an unknown
 * class.
 */
export function readBracket(pattern: readonly string[], start: number): Bracket | null {
  let at = start + 1;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at++;
  const members: CharTest[] = [];
  // A closing bracket at the start is a member.
  for (let first = true; first || pattern[at] !== ']'; first = false) {
    const closing = closingOfClass(pattern, at);
    const member = closing === null ? readRange(pattern, at) : readClass(pattern, at, closing);
    if (member === null) return null;
    members.push(member.test);
    at = member.end;
  }
  return { test: (char) => members.some((test) => test(char)) !== negated, end: at + 1 };
}

/** Returns the index of the bracket that closes `[:alpha:]`, or null if no class begins here. */
function closingOfClass(pattern: readonly string[], at: number): number | null {
  if (pattern[at] !== '[' || pattern[at + 1] !== ':') return null;
  const close = at + pattern.slice(at, at + maxClassLength).indexOf(']');
  return close >= at + 3 && pattern[close - 1] === ':' ? close : null;
}

function readClass(pattern: readonly string[], at: number, close: number): Bracket | null {
  const expression = classes.get(pattern.slice(at + 2, close - 1).join(''));
  return expression === undefined
    ? null
    : { test: (char) => expression.test(char), end: close + 1 };
}

function readRange(pattern: readonly string[], at: number): Bracket | null {
  const from = readMember(pattern, at);
  if (from === null) return null;
  const isRange = pattern[from.end] === '-' && pattern[from.end + 1] !== ']';
  const to = isRange ? readMember(pattern, from.end + 1) : from;
  if (to === null) return null;
  const [low, high] = [codeOf(from.char), codeOf(to.char)];
  return { test: (char) => codeOf(char) >= low && codeOf(char) <= high, end: to.end };
}

function readMember(pattern: readonly string[], at: number): { char: string; end: number } | null {
  const place = pattern[at] === '\\' ? at + 1 : at;
  const char = pattern[place];
  return char === undefined ? null : { char, end: place + 1 };
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}
