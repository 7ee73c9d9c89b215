import type { Lexer, Token } from 'marked';
import { childrenOf, targetOf, textOf } from './tokens.js';

/** A longer text is not searched for marks, because that takes more than linear time. */
const maxInlineChars = 2000;
const wikiLink = /\[\[(?=[^\s[\]|])([^[\]|]{1,200})(?:\|([^[\]|]{1,200}))?\]\]/gu;
const characterReference = /&(?:amp|lt|gt|quot|nbsp|#39);/gu;
const references: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&nbsp;', ' '],
  ['&#39;', "'"],
]);

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A link, and the place of its label in the text. */
export interface Link extends TextRange {
  readonly kind: 'link' | 'image';
  readonly label: string;
  readonly target: string;
}

/** The text of a block without its marks. */
export interface InlineContent {
  readonly text: string;
  /** Places of code in the text. */
  readonly code: readonly TextRange[];
  readonly links: readonly Link[];
  /** The emphasised text at the start, such as a defined term. May be empty. */
  readonly lead: string;
}

/** Reads the marks in the text of a block. */
export function readInline(source: string, lexer: Lexer): InlineContent {
  const reader = new InlineReader();
  if (source.length > maxInlineChars) reader.addText(source);
  else reader.add(lexer.inlineTokens(source));
  return reader.result();
}

class InlineReader {
  #text = '';
  #lead = '';
  readonly #code: TextRange[] = [];
  readonly #links: Link[] = [];

  add(tokens: readonly Token[]): void {
    for (const token of tokens) this.#addToken(token);
  }

  addText(text: string): void {
    let end = 0;
    for (const { 0: all, 1: page = '', 2: label = page, index } of text.matchAll(wikiLink)) {
      this.#addPlain(text.slice(end, index));
      end = index + all.length;
      const from = this.#text.length;
      this.#addPlain(label.trim());
      this.#addRange('link', from, page.trim());
    }
    this.#addPlain(text.slice(end));
  }

  result(): InlineContent {
    return { text: this.#text, code: this.#code, links: this.#links, lead: this.#lead };
  }

  #addPlain(text: string): void {
    this.#text += text.replaceAll(characterReference, (each) => references.get(each) ?? ' ');
  }

  #addRange(kind: Link['kind'], from: number, target: string): void {
    const to = this.#text.length;
    this.#links.push({ kind, from, to, label: this.#text.slice(from).trim(), target });
  }

  #addToken(token: Token): void {
    const from = this.#text.length;
    switch (token.type) {
      case 'codespan':
        this.#text += textOf(token);
        this.#code.push({ from, to: this.#text.length });
        return;
      case 'link':
      case 'image':
        this.#addLink(token, token.type);
        return;
      case 'strong':
        this.add(childrenOf(token));
        if (this.#text.slice(0, from).trim() === '') this.#lead = this.#text.trim();
        return;
      case 'br':
      case 'html':
        this.#text += /^<br\b/iu.test(token.raw) || token.type === 'br' ? '\n' : '';
        return;
      default:
        if (childrenOf(token).length > 0) this.add(childrenOf(token));
        else this.addText(textOf(token));
    }
  }

  /** An address in angle brackets or without marks is a link with itself as its label. */
  #addLink(token: Token, kind: Link['kind']): void {
    const from = this.#text.length;
    if (kind === 'image') this.addText(textOf(token));
    else this.add(childrenOf(token));
    this.#addRange(kind, from, targetOf(token));
    if (this.#text.slice(from) === targetOf(token))
      this.#code.push({ from, to: this.#text.length });
  }
}
