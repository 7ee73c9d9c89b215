import type { Row } from './world.js';

type Value = string | number | boolean | null;

/** An expression of a formula. */
type Expression = (row: Row) => Value;

const token = /\s*(?:([A-Z_]+)(?=\()|'([^']*)'|"([^"]*)"|(\d+(?:\.\d+)?)|([(),=]))/y;

const functions: Readonly<Record<string, (row: Row, values: readonly Value[]) => Value>> = {
  AND: (_row, values) => values.every(Boolean),
  OR: (_row, values) => values.some(Boolean),
  RECORD_ID: ({ id }) => id,
  CREATED_TIME: ({ createdAt }) => createdAt,
  LAST_MODIFIED_TIME: ({ modifiedAt }) => modifiedAt,
  DATETIME_PARSE: (_row, [text = null]) => Date.parse(String(text)),
  // An empty time is after no other.
  IS_AFTER: (_row, [first = null, second = null]) =>
    first !== null && second !== null && first > second,
  FIND: (_row, [part = null, text = null]) => String(text).indexOf(String(part)) + 1,
};

/** Parses the part of the formula language that connectors need. Null for an invalid formula. */
export function parseFormula(text: string): ((row: Row) => boolean) | null {
  try {
    const expression = new Parser(text).whole();
    return (row) => Boolean(expression(row));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

class Parser {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Expression {
    const expression = this.#comparison();
    if (this.#text.slice(this.#position).trim() !== '') throw new SyntaxError('trailing text');
    return expression;
  }

  #comparison(): Expression {
    const left = this.#term();
    if (this.#peek() !== '=') return left;
    this.#next();
    const right = this.#term();
    return (row) => left(row) === right(row);
  }

  #term(): Expression {
    const [, name, single, double, number] = this.#next();
    const text = single ?? double;
    if (text !== undefined) return () => text;
    if (number !== undefined) return () => Number(number);
    const call = name === undefined ? undefined : functions[name];
    if (call === undefined) throw new SyntaxError('no term');
    const values = this.#list();
    return (row) =>
      call(
        row,
        values.map((value) => value(row)),
      );
  }

  /** Parses `(…, …)`. */
  #list(): readonly Expression[] {
    const values: Expression[] = [];
    this.#next();
    while (this.#peek() !== ')') {
      values.push(this.#comparison());
      if (this.#peek() === ',') this.#next();
    }
    this.#next();
    return values;
  }

  #peek(): string | undefined {
    const before = this.#position;
    const found = this.#match();
    this.#position = before;
    return found?.[5];
  }

  #next(): RegExpExecArray {
    const found = this.#match();
    if (found === null) throw new SyntaxError('no token');
    return found;
  }

  #match(): RegExpExecArray | null {
    token.lastIndex = this.#position;
    const found = token.exec(this.#text);
    if (found !== null) this.#position = token.lastIndex;
    return found;
  }
}
