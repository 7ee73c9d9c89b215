import { minLengthOf, requiredText, trimEdges } from './analysis.js';
import { parseRegex } from './parse.js';
import { patternError } from './reader.js';
import { escapeCharacter, type Characters, type RegexNode } from './syntax.js';

export interface Expression {
  readonly regex: RegExp;
  /** It has negative look-around, whose result in the text may differ from that in the line alone. */
  readonly looksAround: boolean;
  /** Text that every match contains. '' if unknown. */
  readonly required: string;
  /** Length of the shortest match, in characters. */
  readonly minLength: number;
}

/** Translates a pattern in ripgrep's syntax to a JavaScript expression that finds the matching lines of a text. */
export function toExpression(pattern: string, ignoreCase: boolean): Expression {
  return expressionOf(trimEdges(parseRegex(pattern, ignoreCase)));
}

/** The same, but finds the start and end of each match in a line, which is slower. */
export function toExactExpression(pattern: string, ignoreCase: boolean): RegExp {
  return expressionOf(parseRegex(pattern, ignoreCase)).regex;
}

function expressionOf(syntax: RegexNode): Expression {
  const leaves = leavesOf(syntax);
  const foldings = new Set(leaves.flatMap((leaf) => ('folding' in leaf ? leaf.folding : [])));
  const foldsAll = foldings.size === 1 && foldings.has('unicode');
  if (leaves.reduce((sum, leaf) => sum + costOf(leaf, foldsAll), 0) > maxCost) throw tooLarge();
  try {
    const regex = new RegExp(sourceOf(syntax, foldsAll), foldsAll ? 'gvi' : 'gv');
    // Only the first use throws if it is too large.
    regex.test('');
    regex.lastIndex = 0;
    return {
      regex,
      looksAround: hasNegativeLook(syntax),
      required: requiredText(syntax),
      minLength: minLengthOf(syntax),
    };
  } catch {
    throw tooLarge();
  }
}

/** Compiling this much takes about a tenth of a second. */
const maxCost = 1000;

/** Returns the compilation cost of a part, in plain characters. Unicode classes have hundreds of ranges. */
function costOf(leaf: RegexLeaf, foldsAll: boolean): number {
  if (leaf.kind === 'assertion') return 40;
  if (!foldsAll && leaf.folding !== 'none') return 40;
  if (leaf.literal !== null) return 1;
  return foldsAll ? 20 : 10;
}

function tooLarge(): Error {
  return patternError('is too large', 'Split it.');
}

function sourceOf(syntax: RegexNode, foldsAll: boolean): string {
  switch (syntax.kind) {
    case 'characters':
      return foldsAll || syntax.folding === 'none' ? plainSource(syntax) : expandCases(syntax);
    case 'assertion':
      return syntax.source;
    case 'sequence':
      return syntax.parts.map((part) => groupedSource(part, foldsAll)).join('');
    case 'choice':
      return syntax.parts.map((part) => sourceOf(part, foldsAll)).join('|');
    case 'repetition': {
      const { part, min, max, greedy } = syntax;
      return `(?:${sourceOf(part, foldsAll)}){${min},${max ?? ''}}${greedy ? '' : '?'}`;
    }
    case 'look':
      return `${syntax.opening}${sourceOf(syntax.part, foldsAll)})`;
  }
}

function groupedSource(part: RegexNode, foldsAll: boolean): string {
  const source = sourceOf(part, foldsAll);
  return part.kind === 'choice' ? `(?:${source})` : source;
}

function plainSource({ set, literal }: Characters): string {
  return literal === null ? set : escapeCharacter(literal);
}

/**
 * Expands the other cases of a set. JavaScript ignores case everywhere or nowhere, so partial folding is written out.
 */
function expandCases({ set, folding }: Characters): string {
  const changing = folding === 'ascii' ? '[A-Za-z]' : casedSet;
  const candidates = folding === 'ascii' ? asciiLetters : allCasedCharacters();
  const variants = candidates.match(new RegExp(set, 'giv')) ?? [];
  return `[[${set}--${changing}]${variants.map(escapeCharacter).join('')}]`;
}

const casedSet = '[\\p{Changes_When_Casemapped}\\p{Changes_When_Casefolded}]';
const asciiLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
let casedCharacters: string | null = null;

/** Returns all characters with another case. */
function allCasedCharacters(): string {
  if (casedCharacters === null) {
    const all: string[] = [];
    for (let code = 0; code < 0x1f000; code++) {
      if (code < 0xd800 || code > 0xdfff) all.push(String.fromCodePoint(code));
    }
    casedCharacters = (all.join('').match(new RegExp(casedSet, 'gv')) ?? []).join('');
  }
  return casedCharacters;
}

type RegexLeaf = Extract<RegexNode, { readonly kind: 'characters' | 'assertion' }>;

function leavesOf(syntax: RegexNode): RegexLeaf[] {
  switch (syntax.kind) {
    case 'characters':
    case 'assertion':
      return [syntax];
    case 'sequence':
    case 'choice':
      return syntax.parts.flatMap(leavesOf);
    case 'repetition':
    case 'look':
      return leavesOf(syntax.part);
  }
}

function hasNegativeLook(syntax: RegexNode): boolean {
  switch (syntax.kind) {
    case 'characters':
    case 'assertion':
      return false;
    case 'sequence':
    case 'choice':
      return syntax.parts.some(hasNegativeLook);
    case 'repetition':
      return hasNegativeLook(syntax.part);
    case 'look':
      return syntax.opening.endsWith('!') || hasNegativeLook(syntax.part);
  }
}
