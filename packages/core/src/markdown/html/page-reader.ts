import { link, oneLine } from '../escape.js';
import type { MarkdownWriter } from '../writer.js';
import { childless, headingLevel, isBlock, isUnread, type Attributes } from './elements.js';
import { HtmlTable } from './table.js';

/** Characters of a block in which links are kept: each that ends costs a copy of what stands before it. */
const LONGEST_LINKED = 128 * 1024;

interface List {
  readonly isOrdered: boolean;
  /** Of the next item. */
  number: number;
  /** The current item has its marker already. */
  hasBegun: boolean;
}

/** Writes a page while its elements come: however deep it is, nothing of it is held but the current block. */
export class PageReader {
  title = '';
  readonly #writer: MarkdownWriter;
  /** The open elements of which nothing is read, the outermost first. */
  readonly #unread: string[] = [];
  readonly #lists: List[] = [];
  readonly #links: { readonly from: number; readonly url: string }[] = [];
  #text = '';
  #isTitle = false;
  #code: { language: string } | null = null;
  #quotes = 0;
  #table: HtmlTable | null = null;
  #span = 1;

  constructor(writer: MarkdownWriter) {
    this.#writer = writer;
  }

  open(name: string, attributes: Attributes): void {
    if (childless.has(name)) {
      if (this.#unread.length === 0) this.#mark(name, attributes);
      return;
    }
    if (this.#unread.length > 0 || isUnread(name, attributes)) {
      if (this.#unread.length === 0 || this.#unread[0] === name) this.#unread.push(name);
      return;
    }
    if (name === 'title') this.#isTitle = this.title === '';
    else if (name === 'a') this.#openLink(attributes['href'] ?? '');
    else if (name === 'table') this.#openTable();
    else if (this.#table !== null) this.#openInTable(name, attributes);
    else this.#openBlock(name, attributes);
  }

  text(text: string): void {
    if (this.#unread.length > 0) return;
    if (this.#isTitle) this.title += text;
    else if (this.#code !== null) this.#text += text;
    else this.#text += text.replaceAll(/[\s\u00a0]+/g, ' ');
  }

  close(name: string): void {
    if (this.#unread.length > 0) {
      if (this.#unread[0] === name) this.#unread.pop();
      return;
    }
    if (name === 'title') this.#isTitle = false;
    else if (name === 'a') this.#closeLink();
    else if (this.#table !== null) this.#closeInTable(name);
    else this.#closeBlock(name);
  }

  end(): void {
    this.#endTable();
    this.#flush();
  }

  #mark(name: string, attributes: Attributes): void {
    if (name === 'br') this.#text += '\n';
    else if (name === 'img') this.#text += ` ${attributes['alt'] ?? ''} `;
    else if (name === 'hr' && this.#table === null) {
      this.#flush();
      this.#writer.rule();
    }
  }

  #openBlock(name: string, attributes: Attributes): void {
    const isItem = name === 'li';
    // A paragraph within an item is a line of it.
    if (this.#lists.length > 0 && !isItem && name !== 'ul' && name !== 'ol' && isBlock(name)) {
      this.#text += '\n';
      return;
    }
    if (name !== 'pre' && !isBlock(name) && headingLevel(name) === 0) {
      this.#setLanguage(name, attributes);
      return;
    }
    this.#flush();
    if (name === 'pre') this.#code = { language: languageOf(attributes) };
    else if (name === 'blockquote') this.#quotes++;
    else if (name === 'ul' || name === 'ol') this.#openList(name, attributes);
    else if (isItem) this.#openItem();
  }

  #setLanguage(name: string, attributes: Attributes): void {
    if (name === 'code' && this.#code !== null && this.#code.language === '')
      this.#code.language = languageOf(attributes);
  }

  #openList(name: string, attributes: Attributes): void {
    const number = Number.parseInt(attributes['start'] ?? '1', 10);
    this.#lists.push({
      isOrdered: name === 'ol',
      number: Number.isSafeInteger(number) ? number : 1,
      hasBegun: true,
    });
  }

  #openItem(): void {
    if (this.#lists.length === 0) this.#openList('ul', {});
    const list = this.#lists.at(-1);
    if (list !== undefined) list.hasBegun = false;
  }

  #closeBlock(name: string): void {
    const level = headingLevel(name);
    if (name === 'pre') {
      this.#endLinks();
      this.#writer.code(this.#text, this.#code?.language);
      this.#text = '';
      this.#code = null;
    } else if (level > 0) this.#closeHeading(level);
    else if (name === 'ul' || name === 'ol') {
      this.#flush();
      this.#lists.pop();
    } else if (this.#lists.length > 0 && name !== 'li' && isBlock(name)) this.#text += '\n';
    else if (isBlock(name)) this.#flush();
    if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1);
  }

  #closeHeading(level: number): void {
    this.#endLinks();
    this.#writer.heading(level, this.#text);
    this.#text = '';
  }

  #openTable(): void {
    if (this.#table !== null) {
      this.#table.nested++;
      this.#table.isLayout = true;
      return;
    }
    this.#flush();
    this.#table = new HtmlTable();
  }

  #openInTable(name: string, attributes: Attributes): void {
    const isOwn = this.#table?.nested === 0;
    if (name === 'tr' && isOwn) this.#table?.row();
    else if ((name === 'td' || name === 'th') && isOwn) {
      this.#text = '';
      this.#span = Math.max(1, Number.parseInt(attributes['colspan'] ?? '1', 10) || 1);
    } else if (name === 'td' || name === 'th') this.#text += ' ';
    else if (isBlock(name) || name === 'tr' || name === 'pre') this.#text += '\n';
    if (headingLevel(name) > 0 && this.#table !== null) this.#table.isLayout = true;
    if (name === 'li') this.#text += '- ';
  }

  #closeInTable(name: string): void {
    const table = this.#table;
    if (table === null) return;
    if (name === 'table') {
      if (table.nested > 0) table.nested--;
      else this.#endTable();
    } else if (table.nested > 0) this.#text += isBlock(name) ? '\n' : '';
    else if (name === 'td' || name === 'th') table.cell(this.#taken(), this.#span);
    else if (name === 'caption') table.caption(this.#taken());
    else if (isBlock(name) || headingLevel(name) > 0) this.#text += '\n';
  }

  #endTable(): void {
    const rest = this.#table === null ? '' : this.#taken();
    this.#table?.write(this.#writer);
    this.#table = null;
    this.#writer.paragraph(rest);
  }

  #openLink(url: string): void {
    const from = this.#text.length;
    if (from < LONGEST_LINKED) this.#links.push({ from, url });
  }

  #closeLink(): void {
    const opened = this.#links.pop();
    if (opened === undefined || this.#code !== null) return;
    const label = this.#text.slice(opened.from);
    // Generators put a link to itself behind each heading.
    if (opened.url.startsWith('#') && /^\s*[¶#§🔗]?\s*$/u.test(label)) {
      this.#text = this.#text.slice(0, opened.from).trimEnd();
      return;
    }
    // What a link spans a block or jumps within the page for is read without it.
    if (opened.url.startsWith('#') || opened.from > this.#text.length || label.includes('\n'))
      return;
    const space = /^\s/.test(label) ? ' ' : '';
    this.#text = this.#text.slice(0, opened.from) + space + link(label, opened.url);
    if (/\s$/.test(label)) this.#text += ' ';
  }

  #endLinks(): void {
    this.#links.length = 0;
  }

  /** The text so far; links that are still open are read without their address. */
  #taken(): string {
    this.#endLinks();
    const text = linesOf(this.#text);
    this.#text = '';
    return text;
  }

  #flush(): void {
    const text = this.#taken();
    if (text === '') return;
    const list = this.#lists.at(-1);
    if (list !== undefined && !list.hasBegun) {
      const marker = list.isOrdered ? `${list.number++}.` : '-';
      list.hasBegun = true;
      this.#writer.item(this.#lists.length - 1, marker, text);
    } else if (this.#quotes > 0) this.#writer.quote(text);
    else this.#writer.paragraph(text);
  }
}

function linesOf(text: string): string {
  return text
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
    .join('\n');
}

/** The name that highlighters put into classes: `language-js`, `highlight-source-js`. */
function languageOf(attributes: Attributes): string {
  return (
    /(?:^|\s)(?:language|lang|highlight-source|brush:)-?\s*([\w+#-]+)/.exec(
      attributes['class'] ?? '',
    )?.[1] ?? ''
  );
}
