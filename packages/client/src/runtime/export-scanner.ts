const stringStopPattern = /["\\]/g;
const structurePattern = /["{}[\],:t]/g;

/**
 * Parses the JSON of a CatResponse incrementally. Emits its `content` in pieces, so texts of any size need little
 * memory.
 */
export class ExportScanner {
  /** True if the source returned only a part. Final when `done`. */
  partial = false;
  /** True when all of `content` has been emitted. */
  done = false;

  #state: 'structure' | 'string' | 'content' = 'structure';
  #depth = 0;
  #key = '';
  #string = '';
  /** The start of an escape, which the next piece completes. */
  #incompleteEscape = '';
  /** The first half of a surrogate pair, which the next piece completes. */
  #highSurrogate = '';

  /** Returns the content in this piece, or ''. Throws a SyntaxError for an invalid escape. */
  push(piece: string): string {
    const text = this.#incompleteEscape + piece;
    this.#incompleteEscape = '';
    let content = '';
    for (let at = 0; at < text.length;) {
      if (this.#state === 'structure') {
        at = this.#structure(text, at);
        continue;
      }
      const { raw, next, closed } = this.#rest(text, at);
      if (this.#state === 'content') content += JSON.parse(`"${raw}"`);
      else this.#string += raw;
      if (closed) this.#close();
      at = next;
    }
    return this.#whole(content);
  }

  #structure(text: string, from: number): number {
    structurePattern.lastIndex = from;
    const match = structurePattern.exec(text);
    if (match === null) return text.length;
    const [char] = match;
    if (char === '"') this.#open();
    else if (char === ':') this.#key = this.#depth === 1 ? this.#string : '';
    else if (char === ',') this.#key = '';
    else if (char === 't') this.partial ||= this.#key === 'partial';
    else this.#depth += char === '{' || char === '[' ? 1 : -1;
    return match.index + 1;
  }

  #open(): void {
    this.#string = '';
    this.#state = this.#key === 'content' && this.#depth === 1 ? 'content' : 'string';
  }

  #close(): void {
    this.done ||= this.#state === 'content';
    this.#state = 'structure';
  }

  /** Returns the part of a string in this text. Keeps an incomplete escape for the next piece. */
  #rest(text: string, from: number): { raw: string; next: number; closed: boolean } {
    stringStopPattern.lastIndex = from;
    for (
      let match = stringStopPattern.exec(text);
      match !== null;
      match = stringStopPattern.exec(text)
    ) {
      const at = match.index;
      if (match[0] === '"') return { raw: text.slice(from, at), next: at + 1, closed: true };
      const end = at + (text[at + 1] === 'u' ? 6 : 2);
      if (end > text.length) {
        this.#incompleteEscape = text.slice(at);
        return { raw: text.slice(from, at), next: text.length, closed: false };
      }
      stringStopPattern.lastIndex = end;
    }
    return { raw: text.slice(from), next: text.length, closed: false };
  }

  /** Holds back the first half of a surrogate pair until the second half arrives. */
  #whole(content: string): string {
    const text = this.#highSurrogate + content;
    const cut = !this.done && /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    this.#highSurrogate = text.slice(cut);
    return text.slice(0, cut);
  }
}
