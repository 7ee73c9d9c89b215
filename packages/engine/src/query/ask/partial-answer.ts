/** Further statements of an answer are ignored. */
export const maxStatements = 20;

/**
 * Reads the JSON of an answer in pieces. The answer is an object with a list of objects, such as its statements, which
 * are returned as they become complete.
 */
export class PartialAnswer {
  #text = '';
  /** The open brackets before the next character. */
  readonly #open: string[] = [];
  #isString = false;
  #isEscaped = false;
  #items = 0;

  /** Returns the answer with the complete objects of its list if a piece completes one. Otherwise returns null. */
  push(piece: string): unknown {
    if (this.#items >= maxStatements) return null;
    const start = this.#text.length;
    const end = this.#endOfItem(piece);
    this.#text += piece;
    if (end === null) return null;
    try {
      return JSON.parse(`${this.#text.slice(0, start + end)}]}`);
    } catch {
      return null;
    }
  }

  /** Returns the end of the last object in a list that ends in a piece, or null. */
  #endOfItem(piece: string): number | null {
    let end: number | null = null;
    for (let at = 0; at < piece.length; at++) {
      const closed = this.#read(piece.charAt(at));
      if (closed !== '{' || this.#open.join('') !== '{[') continue;
      end = at + 1;
      if (++this.#items >= maxStatements) break;
    }
    return end;
  }

  /** Returns the bracket that a character closes, or undefined. */
  #read(character: string): string | undefined {
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isString = false;
      return undefined;
    }
    if (character === '"') this.#isString = true;
    else if (character === '{' || character === '[') this.#open.push(character);
    else if (character === '}' || character === ']') return this.#open.pop();
    return undefined;
  }
}
