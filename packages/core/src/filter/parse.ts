import type { JsonScalar } from '../schema.js';
import type { Comparison, Filter } from './ast.js';
import { parseDate } from './dates.js';
import { checkSize, joinFilters, buildMembershipTest, negate } from './normalize.js';
import { errorAt, tokenize, type Keyword, type FilterSymbol, type FilterToken } from './tokens.js';

/** Maximum nesting of parentheses. */
const maxDepth = 64;

/** Maximum length of a `like` pattern. */
const maxPatternLength = 128;

const comparisons: ReadonlySet<string> = new Set<Comparison>(['=', '!=', '<', '<=', '>', '>=']);

/**
 * Parses a filter:
 *
 *     filter     = all { ( "or" | "||" ) all }
 *     all        = one { ( "and" | "&&" ) one }
 *     one        = ( "not" | "!" ) one | "(" filter ")" | condition
 *     condition  = field ( comparison value | [ "not" ] "in" list | [ "not" ] "like" string )
 *     list       = "(" value { "," value } ")" | "[" value { "," value } "]"
 *     comparison = "==" | "=" | "!=" | "<" | "<=" | ">" | ">="
 *     value      = string | number | "true" | "false" | "null"
 *
 * Keywords are case-insensitive. Strings have single or double quotes and `\` escapes. Names with special characters are
 * in backticks (`` fields.`first name` ``) or brackets (`metadata["first name"]`). `metadata.fields.x`, `metadata.x`,
 * `fields.x` and `x` are the same field. A string compared with `modified_at` is an ISO date, or date and time (default UTC).
 *
 * Returns a normalized filter: `not` is only in front of single conditions, nesting is minimal, and equality tests of one
 * field are one membership test. Throws `validation_error` with the position of a syntax error, and for a filter that is
 * too large for an index: more than 10,000 characters, 16 conditions, 4 conditions with `like`, `<`, `>` or more than 4
 * values, patterns over 128 characters, parentheses deeper than 64, or `and` and `or` alternating over more than 8 levels.
 */
export function parseFilter(text: string): Filter {
  return new FilterParser(tokenize(text)).parse();
}

class FilterParser {
  readonly #tokens: readonly FilterToken[];
  #next = 0;

  constructor(tokens: readonly FilterToken[]) {
    this.#tokens = tokens;
  }

  parse(): Filter {
    const filter = this.#filter(0);
    if (this.#peek().type !== 'end') throw this.#expected('`and`, `or` or the end');
    return checkSize(filter);
  }

  #filter(depth: number): Filter {
    return this.#list('or', () => this.#list('and', () => this.#one(depth)));
  }

  #list(op: 'and' | 'or', read: () => Filter): Filter {
    const filters = [read()];
    while (this.#takeKeyword(op)) filters.push(read());
    return joinFilters(op, filters);
  }

  #one(depth: number): Filter {
    let isNegated = false;
    while (this.#takeKeyword('not')) isNegated = !isNegated;
    const filter = this.#positive(depth);
    return isNegated ? negate(filter) : filter;
  }

  #positive(depth: number): Filter {
    if (depth > maxDepth) {
      throw errorAt(this.#peek().at, `nested deeper than ${maxDepth}`, 'Leave parentheses out.');
    }
    if (!this.#takeSymbol('(')) return this.#condition();
    const filter = this.#filter(depth + 1);
    if (!this.#takeSymbol(')')) throw this.#expected('`)`, `and` or `or`');
    return filter;
  }

  #condition(): Filter {
    const token = this.#peek();
    if (token.type !== 'name') throw this.#expected('a field');
    this.#next++;
    const field = token.name;
    if (this.#takeKeyword('not')) return negate(this.#membership(field));
    const comparison = this.#takeComparison();
    if (comparison === null) return this.#membership(field);
    return { op: 'compare', field, comparison, value: this.#value(field) };
  }

  #membership(field: string): Filter {
    if (this.#takeKeyword('in')) return buildMembershipTest(field, this.#values(field));
    if (!this.#takeKeyword('like')) throw this.#expected('a comparison, `in` or `like`');
    const token = this.#peek();
    if (token.type !== 'string') throw this.#expected('a pattern in quotes');
    if (token.value.length > maxPatternLength) {
      throw errorAt(
        token.at,
        `a pattern longer than ${maxPatternLength} characters`,
        'Shorten the pattern. `%` matches any text.',
      );
    }
    this.#next++;
    return { op: 'like', field, pattern: token.value };
  }

  #values(field: string): JsonScalar[] {
    const close = this.#takeSymbol('[') ? ']' : ')';
    if (close === ')' && !this.#takeSymbol('(')) throw this.#expected('`(` or `[`');
    const values = [this.#value(field)];
    while (this.#takeSymbol(',')) values.push(this.#value(field));
    if (!this.#takeSymbol(close)) throw this.#expected(`\`,\` or \`${close}\``);
    return values;
  }

  #value(field: string): JsonScalar {
    const token = this.#peek();
    const value = literalOf(token);
    if (value === undefined) throw this.#expected('a value');
    this.#next++;
    return field === 'modified_at' && typeof value === 'string'
      ? parseDate(value, token.at)
      : value;
  }

  #takeComparison(): Comparison | null {
    const token = this.#peek();
    if (token.type !== 'symbol' || !isComparison(token.symbol)) return null;
    this.#next++;
    return token.symbol;
  }

  #takeKeyword(keyword: Keyword): boolean {
    const token = this.#peek();
    const isNext = token.type === 'keyword' && token.keyword === keyword;
    if (isNext) this.#next++;
    return isNext;
  }

  #takeSymbol(symbol: FilterSymbol): boolean {
    const token = this.#peek();
    const isNext = token.type === 'symbol' && token.symbol === symbol;
    if (isNext) this.#next++;
    return isNext;
  }

  #peek(): FilterToken {
    return this.#tokens[this.#next] ?? { type: 'end', at: 0 };
  }

  #expected(what: string): Error {
    const token = this.#peek();
    return errorAt(
      token.at,
      `expected ${what}, found ${describeToken(token)}`,
      suggestionFor(token),
    );
  }
}

function literalOf(token: FilterToken): JsonScalar | undefined {
  if (token.type === 'string' || token.type === 'number') return token.value;
  if (token.type !== 'keyword') return undefined;
  if (token.keyword === 'null') return null;
  if (token.keyword === 'true') return true;
  return token.keyword === 'false' ? false : undefined;
}

/** Describes a token without repeating the caller's text. */
function describeToken(token: FilterToken): string {
  switch (token.type) {
    case 'keyword':
      return `\`${token.keyword}\``;
    case 'symbol':
      return `\`${token.symbol}\``;
    case 'end':
      return 'the end';
    case 'name':
      return 'a name';
    case 'string':
      return 'a string';
    case 'number':
      return 'a number';
  }
}

function suggestionFor(token: FilterToken): string {
  if (token.type === 'name') return 'Write text in quotes: author = "Ada".';
  if (token.type === 'keyword') return 'Put a field that is named like a keyword in backticks.';
  return 'A filter looks like: author = "Ada" and (year >= 2020 or path like "%/notes/%").';
}

function isComparison(symbol: string): symbol is Comparison {
  return comparisons.has(symbol);
}
