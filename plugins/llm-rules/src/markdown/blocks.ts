import { Lexer, type Token, type Tokens } from 'marked';
import { readFrontMatter, type FrontMatterField } from './front-matter.js';
import { readInline, type InlineContent } from './inline.js';
import { childrenOf, isList, isTable, languageOf, levelOf, textOf } from './tokens.js';

/** Deeper nested lists and quotations are read as text, because each level is parsed again. */
const deepNesting = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){17,}/gmu;
const maxLevels = 6;

interface InSection {
  /** Headings above the block, outermost first. */
  readonly section: readonly string[];
}

/** A heading. Its section consists of the headings above it. */
export interface HeadingBlock extends InSection {
  readonly kind: 'heading';
  readonly text: InlineContent;
}

/** A paragraph or the text of a list item. */
export interface TextBlock extends InSection {
  readonly kind: 'text';
  readonly text: InlineContent;
}

/** A row of a table, with the names of its columns. */
export interface RowBlock extends InSection {
  readonly kind: 'row';
  readonly columns: readonly string[];
  readonly cells: readonly InlineContent[];
}

export interface CodeBlock extends InSection {
  readonly kind: 'code';
  readonly language: string;
  readonly code: string;
}

export type Block = HeadingBlock | TextBlock | RowBlock | CodeBlock;

export interface MarkdownDocument {
  readonly frontMatter: readonly FrontMatterField[];
  readonly blocks: readonly Block[];
}

/** Reads the structure of a Markdown text. A text without marks consists of paragraphs. */
export function readMarkdown(text: string): MarkdownDocument {
  const { fields, body } = readFrontMatter(text.replaceAll(/\r\n?/gu, '\n'));
  const lexer = new Lexer();
  const reader = new BlockReader(lexer);
  reader.add(lexer.blockTokens(body.replaceAll(deepNesting, ''), []));
  return { frontMatter: fields, blocks: reader.blocks };
}

class BlockReader {
  readonly blocks: Block[] = [];
  readonly #lexer: Lexer;
  /** Open headings by level. */
  #open: { readonly level: number; readonly text: string }[] = [];
  #section: readonly string[] = [];

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
  }

  add(tokens: readonly Token[]): void {
    for (const token of tokens) this.#addToken(token);
  }

  #addToken(token: Token): void {
    if (isList(token)) {
      for (const item of token.items) this.add(item.tokens);
    } else if (isTable(token)) {
      this.#addTable(token);
    } else if (token.type === 'heading') {
      this.#addHeading(token);
    } else if (token.type === 'blockquote') {
      this.add(childrenOf(token));
    } else if (token.type === 'paragraph' || token.type === 'text') {
      const text = this.#inline(textOf(token));
      if (text.text.trim() !== '') this.blocks.push({ kind: 'text', section: this.#section, text });
    } else if (token.type === 'code') {
      const [language, code] = [languageOf(token), textOf(token)];
      this.blocks.push({ kind: 'code', section: this.#section, language, code });
    }
  }

  #addHeading(token: Token): void {
    const level = Math.min(levelOf(token), maxLevels);
    const text = this.#inline(textOf(token));
    this.#open = this.#open.filter((each) => each.level < level);
    this.#section = this.#open.map((each) => each.text);
    this.blocks.push({ kind: 'heading', section: this.#section, text });
    this.#open.push({ level, text: text.text.trim() });
    this.#section = this.#open.map((each) => each.text);
  }

  #addTable({ header, rows }: Tokens.Table): void {
    const columns = header.map(({ text }) => this.#inline(text).text.trim());
    for (const row of rows) {
      const cells = row.map(({ text }) => this.#inline(text));
      this.blocks.push({ kind: 'row', section: this.#section, columns, cells });
    }
  }

  #inline(text: string): InlineContent {
    return readInline(text, this.#lexer);
  }
}
