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
 * Reads a filter:
 *
 *     filter     = all { ( "or" | "||" ) all }
 *     all        = one { ( "and" | "&&" ) one }
 *     one        = ( "not" | "!" ) one | "(" filter ")" | condition
 *     condition  = field ( comparison value | [ "not" ] "in" list | [ "not" ] "like" string )
 *     list       = "(" value { "," value } ")" | "[" value { "," value } "]"
 *     comparison = "==" | "=" | "!=" | "<" | "<=" | ">" | ">="
 *     value      = string | number | "true" | "false" | "null"
 *
 * Keywords in any case; strings in single or double quotes with `\` escapes; fields dotted, odd names in backticks
 * (`` fields.`first name` ``) or brackets (`metadata["first name"]`). `metadata.fields.x`, `metadata.x`, `fields.x` and `x` are one field. With
 * `modified_at`, a string is an ISO date, or date and time (UTC unless it says otherwise).
 *
 * What is read is simple: `not` stands before single conditions only, nothing is nested that need not be, and what one
 * field is compared with is one membership test. Throws `validation_error`, with the position, for anything else, and
 * for what an index would not take: more than 10,000 characters, 16 conditions, 4 with `like`, `<`, `>` or more than 4
 * values, patterns longer than 128 characters, parentheses deeper than 64, `and` and `or` that alternate more than 8
 * levels deep.
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
        'Shorten it: `%` stands for any text.',
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
    const found = token.type === 'keyword' && token.keyword === keyword;
    if (found) this.#next++;
    return found;
  }

  #takeSymbol(symbol: FilterSymbol): boolean {
    const token = this.#peek();
    const found = token.type === 'symbol' && token.symbol === symbol;
    if (found) this.#next++;
    return found;
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

/** Describes the token without repeating what the caller wrote in it. */
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
  if (token.type === 'keyword') return 'Write a field that is named like a keyword in backticks.';
  return 'A filter looks like: author = "Ada" and (year >= 2020 or path like "%/notes/%").';
}

function isComparison(symbol: string): symbol is Comparison {
  return comparisons.has(symbol);
}
