import { readBracket } from './bracket.js';
import { anyRun, matchSteps } from './match-steps.js';

/** Tests a name (a path segment). */
export type NameTest = (name: string) => boolean;

/** A step of a pattern: a character, a test of one character, or any run of characters. */
type PatternStep = string | ((char: string) => boolean) | typeof anyRun;

export interface NamePattern {
  readonly test: NameTest;
  /** The only matching name, if the pattern has no wildcard and is plain ASCII. */
  readonly literal: string | null;
}

const anyChar = (): boolean => true;

/**
 * Compiles `*`, `?`, `[…]` and `\` in the pattern of a name. Null if nothing can match it. Composed and decomposed
 * letters match each other.
 */
export function compileName(pattern: string): NamePattern | null {
  const compiled = compileComposed(pattern.normalize('NFC'));
  if (compiled === null) return null;
  const { test } = compiled;
  const isPlain = isAscii.test(pattern);
  return {
    literal: isPlain ? compiled.literal : null,
    test: (name) => test(isAscii.test(name) ? name : name.normalize('NFC')),
  };
}

const isAscii = /^[\0-\x7f]*$/;

function compileComposed(pattern: string): NamePattern | null {
  const steps = readSteps(Array.from(pattern));
  if (steps === null) return null;
  if (!steps.some(isWild)) {
    const literal = steps.filter(isChar).join('');
    return { literal, test: (name) => name === literal };
  }
  return {
    literal: null,
    test: simpleTest(steps) ?? ((name) => matchSteps(steps, Array.from(name), matchesChar)),
  };
}

function readSteps(pattern: readonly string[]): PatternStep[] | null {
  const steps: PatternStep[] = [];
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at] ?? '';
    if (char === '[') {
      const bracket = readBracket(pattern, at);
      if (bracket === null) return null;
      steps.push(bracket.test);
      at = bracket.end;
      continue;
    }
    if (char === '*') {
      if (steps.at(-1) !== anyRun) steps.push(anyRun);
    } else if (char === '?') {
      steps.push(anyChar);
    } else if (char === '\\') {
      const escaped = pattern[++at];
      if (escaped === undefined) return null;
      steps.push(escaped);
    } else {
      steps.push(char);
    }
    at++;
  }
  return steps;
}

/** Returns a fast test for `*.log` and `cmake-*`, the most common wildcards. */
function simpleTest(steps: readonly PatternStep[]): NameTest | null {
  const wild = steps.filter(isWild);
  if (wild.length !== 1 || wild[0] !== anyRun) return null;
  const at = steps.indexOf(anyRun);
  const start = steps.slice(0, at).filter(isChar).join('');
  const end = steps
    .slice(at + 1)
    .filter(isChar)
    .join('');
  const length = start.length + end.length;
  return (name) => name.length >= length && name.startsWith(start) && name.endsWith(end);
}

function matchesChar(expected: Exclude<PatternStep, typeof anyRun>, char: string): boolean {
  return typeof expected === 'string' ? expected === char : expected(char);
}

function isChar(step: PatternStep): step is string {
  return typeof step === 'string';
}

function isWild(step: PatternStep): boolean {
  return !isChar(step);
}
