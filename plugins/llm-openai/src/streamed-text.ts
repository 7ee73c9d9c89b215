const thinkingStart = '<think>';
const thinkingEnd = '</think>';
/** A longer first line is no code fence. */
const maxFenceChars = 100;

type Part = 'start' | 'thinking' | 'fence' | 'lead' | 'text' | 'unknown';

/**
 * Finds the text of an answer in its pieces: without thinking, white space around it, and the code fence of JSON. The
 * end of the text is held back while it may be such a part. Every method takes linear time.
 */
export class StreamedText {
  readonly #wantsJson: boolean;
  #part: Part = 'start';
  /** The undecided beginning of the current part. */
  #pending = '';
  /** The text that may be white space or a code fence at the end. */
  #held: string[] = [];
  #length = 0;

  constructor(wantsJson: boolean) {
    this.#wantsJson = wantsJson;
  }

  /** Number of returned characters. */
  get length(): number {
    return this.#length;
  }

  /** Returns the further text of the answer that is certain after a piece. */
  push(piece: string): string {
    const text = this.#part === 'text' ? piece : this.#begin(piece);
    const end = this.#certainEnd(text);
    if (end === 0) {
      if (text !== '') this.#held.push(text);
      return '';
    }
    const certain = [...this.#held, text.slice(0, end)].join('');
    this.#held = end < text.length ? [text.slice(end)] : [];
    this.#length += certain.length;
    return certain;
  }

  /** Returns the part of a piece that belongs to the text, if the text has begun. */
  #begin(piece: string): string {
    let rest = this.#pending + piece;
    this.#pending = '';
    if (this.#part === 'start') {
      rest = rest.trimStart();
      if (rest.length < thinkingStart.length && thinkingStart.startsWith(rest))
        return this.#wait(rest);
      this.#part = rest.startsWith(thinkingStart) ? 'thinking' : 'fence';
    }
    if (this.#part === 'thinking') {
      const end = rest.indexOf(thinkingEnd);
      if (end < 0) return this.#wait(rest.slice(-thinkingEnd.length));
      rest = rest.slice(end + thinkingEnd.length);
      this.#part = 'fence';
    }
    if (this.#part === 'fence') {
      rest = rest.trimStart();
      const isFence = this.#wantsJson && rest.startsWith('`');
      const lineEnd = isFence ? rest.indexOf('\n') : 0;
      if (rest === '' || lineEnd < 0) return this.#wait(rest);
      if (isFence) rest = rest.slice(lineEnd);
      this.#part = 'lead';
    }
    if (this.#part === 'lead') {
      rest = rest.trimStart();
      if (rest === '') return '';
      this.#part = 'text';
    }
    return this.#part === 'text' ? rest : '';
  }

  #wait(pending: string): string {
    // An endless first line is not JSON, so the whole answer is rejected later.
    if (this.#part === 'fence' && pending.length > maxFenceChars) this.#part = 'unknown';
    else this.#pending = pending;
    return '';
  }

  /** Returns the end of a text without the characters that may end the answer. */
  #certainEnd(text: string): number {
    let end = text.length;
    while (end > 0 && this.#mayBeEnd(text.charAt(end - 1))) end--;
    return end;
  }

  #mayBeEnd(character: string): boolean {
    return character.trim() === '' || (this.#wantsJson && character === '`');
  }
}
