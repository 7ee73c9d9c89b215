import { formatLink, toOneLine } from '../escape.js';
import type { MarkdownWriter } from '../writer.js';
import {
  voidElements,
  controlledBy,
  headingLevel,
  isBlock,
  isCollapsed,
  isSkipped,
  opensPanel,
  type HtmlAttributes,
} from './elements.js';
import { MathReader } from '../math-reader.js';
import { toScript } from '../scripts.js';
import { HtmlTable, type CellSpan } from './table.js';

/** Maximum number of panel ids. Pages for people have fewer. */
const maxPanelIds = 10_000;

/** Maximum characters of a block with links, because closing a link copies the text before it. */
const maxLinkedChars = 128 * 1024;

interface OpenList {
  readonly isOrdered: boolean;
  /** The number of the next item. */
  number: number;
  /** The current item already has its marker. */
  hasBegun: boolean;
}

/** Writes a page while its elements arrive. Holds only the current block, however deep the page is. */
export class HtmlPageReader {
  title = '';
  readonly #writer: MarkdownWriter;
  /** The open skipped elements, outermost first. */
  readonly #skipped: string[] = [];
  readonly #lists: OpenList[] = [];
  readonly #links: { readonly from: number; readonly url: string }[] = [];
  #text = '';
  #isTitle = false;
  #code: { language: string } | null = null;
  #quotes = 0;
  #table: HtmlTable | null = null;
  /** The open table cell. */
  #cell: CellSpan | null = null;
  /** Ids of elements that other elements open. */
  readonly #panelIds = new Set<string>();
  /** The number of open headings, in which buttons are read because they are titles of panels. */
  #openTitles = 0;
  /** A title was the last text, so a hidden element here is its panel. */
  #isAfterTitle = false;
  /** The starts of open superscripts and subscripts, innermost last. */
  readonly #scripts: number[] = [];
  #math: MathReader | null = null;

  constructor(writer: MarkdownWriter) {
    this.#writer = writer;
  }

  open(name: string, attributes: HtmlAttributes): void {
    if (this.#math !== null) {
      this.#math.open(name, attributes);
      return;
    }
    if (voidElements.has(name)) {
      if (this.#skipped.length === 0) this.#readVoidElement(name, attributes);
      return;
    }
    this.#addPanelIds(attributes);
    if (isTitle(name)) this.#openTitles++;
    if (this.#skipped.length > 0 || this.#isSkipped(name, attributes)) {
      if (this.#skipped.length === 0 || this.#skipped[0] === name) this.#skipped.push(name);
      return;
    }
    if (name === 'title') this.#isTitle = this.title === '';
    else if (name === 'a') this.#openLink(attributes['href'] ?? '');
    else if (name === 'sup' || name === 'sub') this.#scripts.push(this.#text.length);
    else if (isMath(name)) this.#math = new MathReader();
    else if (name === 'table') this.#openTable();
    else if (this.#table !== null) this.#openInTable(name, attributes);
    else this.#openBlock(name, attributes);
  }

  text(text: string): void {
    if (this.#skipped.length > 0) return;
    if (this.#math !== null) this.#math.text(text);
    else if (this.#isTitle) this.title += text;
    else if (this.#code !== null) this.#text += text;
    else this.#text += text.replaceAll(/[\s\u00a0]+/g, ' ');
    if (/\S/.test(text)) this.#isAfterTitle = false;
  }

  close(name: string): void {
    if (this.#math !== null) {
      this.#closeInMath(name, this.#math);
      return;
    }
    if (isTitle(name)) this.#openTitles = Math.max(0, this.#openTitles - 1);
    if (this.#skipped.length > 0) {
      if (this.#skipped[0] === name) this.#skipped.pop();
      return;
    }
    if (isTitle(name) || name === 'button') this.#isAfterTitle = true;
    if (name === 'title') this.#isTitle = false;
    else if (name === 'a') this.#closeLink();
    else if (name === 'sup' || name === 'sub') this.#closeScript(name);
    else if (this.#table !== null) this.#closeInTable(name);
    else this.#closeBlock(name);
  }

  end(): void {
    if (this.#math !== null) this.#closeInMath('math', this.#math);
    this.#endTable();
    this.#flush();
  }

  #closeInMath(name: string, math: MathReader): void {
    if (!isMath(name)) {
      math.close();
      return;
    }
    this.#text += math.formula;
    this.#math = null;
  }

  #addPanelIds(attributes: HtmlAttributes): void {
    if (this.#panelIds.size < maxPanelIds)
      for (const id of controlledBy(attributes)) this.#panelIds.add(id);
  }

  #isSkipped(name: string, attributes: HtmlAttributes): boolean {
    // The title of an answer is often a button.
    if (name === 'button' && (this.#openTitles > 0 || opensPanel(attributes))) return false;
    const isOpened = this.#isAfterTitle || this.#panelIds.has(attributes['id'] ?? '');
    return isSkipped(name, attributes) && !isCollapsed(name, attributes, isOpened);
  }

  /** Digits stay raised or lowered, because 10³ is not 103. Words such as the "st" of 1st do not. */
  #closeScript(name: 'sup' | 'sub'): void {
    const from = this.#scripts.pop();
    if (from === undefined || from > this.#text.length || this.#code !== null) return;
    const before = this.#text.slice(0, from);
    const whole = this.#text.slice(from);
    const shifted = whole.trim();
    const written = toScript(shifted, name === 'sup' ? 'superscript' : 'subscript');
    if (written !== undefined) this.#text = before + whole.replace(shifted, written);
    else if (/^[^[]*\d/.test(shifted) && /[\d\p{L})]$/u.test(before))
      this.#text = `${before}${name === 'sup' ? '^' : '_'}(${shifted})`;
  }

  #readVoidElement(name: string, attributes: HtmlAttributes): void {
    if (name === 'br') this.#text += '\n';
    else if (name === 'img') this.#text += ` ${attributes['alt'] ?? ''} `;
    else if (name === 'hr' && this.#table === null) {
      this.#flush();
      this.#writer.rule();
    }
  }

  #openBlock(name: string, attributes: HtmlAttributes): void {
    const isItem = name === 'li';
    // A paragraph within an item becomes a line of the item.
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

  #setLanguage(name: string, attributes: HtmlAttributes): void {
    if (name === 'code' && this.#code !== null && this.#code.language === '')
      this.#code.language = languageOf(attributes);
  }

  #openList(name: string, attributes: HtmlAttributes): void {
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

  #openInTable(name: string, attributes: HtmlAttributes): void {
    const isOwn = this.#table?.nested === 0;
    // Pages may omit the end tags of cells.
    if (isOwn && /^t(?:r|d|h|head|body|foot)$/.test(name)) this.#endCell();
    if (name === 'tr' && isOwn) this.#table?.row();
    else if (/^t(?:head|body|foot)$/.test(name) && isOwn) this.#table?.group(name === 'thead');
    else if ((name === 'td' || name === 'th') && isOwn) {
      this.#text = '';
      this.#cell = {
        columns: spanOf(attributes['colspan']),
        rows: attributes['rowspan'] === '0' ? Infinity : spanOf(attributes['rowspan']),
        isHead: name === 'th',
      };
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
    else if (name === 'td' || name === 'th') this.#endCell();
    else if (name === 'thead') table.group(false);
    else if (name === 'caption') table.caption(this.#takeText());
    else if (isBlock(name) || headingLevel(name) > 0) this.#text += '\n';
  }

  #endCell(): void {
    if (this.#cell !== null) this.#table?.cell(this.#takeText(), this.#cell);
    this.#cell = null;
  }

  #endTable(): void {
    this.#endCell();
    const rest = this.#table === null ? '' : this.#takeText();
    this.#table?.write(this.#writer);
    this.#table = null;
    this.#writer.paragraph(rest);
  }

  #openLink(url: string): void {
    const from = this.#text.length;
    if (from < maxLinkedChars) this.#links.push({ from, url });
  }

  #closeLink(): void {
    const opened = this.#links.pop();
    if (opened === undefined || this.#code !== null) return;
    const label = this.#text.slice(opened.from);
    // Generators add a link to itself after each heading.
    if (opened.url.startsWith('#') && /^\s*[¶#§🔗]?\s*$/u.test(label)) {
      this.#text = this.#text.slice(0, opened.from).trimEnd();
      return;
    }
    // Drops links that span several lines or jump within the page, and keeps their text.
    if (opened.url.startsWith('#') || opened.from > this.#text.length || label.includes('\n'))
      return;
    this.#text = this.#text.slice(0, opened.from) + formatLink(label, opened.url);
  }

  #endLinks(): void {
    this.#links.length = 0;
    this.#scripts.length = 0;
  }

  /** Returns the text so far. Links that are still open lose their address. */
  #takeText(): string {
    this.#endLinks();
    const text = linesOf(this.#text);
    this.#text = '';
    return text;
  }

  #flush(): void {
    const text = this.#takeText();
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

/** Whether an element is MathML, which has a prefix in some EPUBs. */
function isMath(name: string): boolean {
  return name === 'math' || name.endsWith(':math');
}

function spanOf(text: string | undefined): number {
  return Math.max(1, Number.parseInt(text ?? '1', 10) || 1);
}

/** Whether an element is a title of the following element. */
function isTitle(name: string): boolean {
  return headingLevel(name) > 0 || name === 'dt' || name === 'summary';
}

function linesOf(text: string): string {
  return text
    .split('\n')
    .map(toOneLine)
    .filter((line) => line !== '')
    .join('\n');
}

/** Returns the language from the classes of highlighters: `language-js`, `highlight-source-js`. */
function languageOf(attributes: HtmlAttributes): string {
  return (
    /(?:^|\s)(?:language|lang|highlight-source|brush:)-?\s*([\w+#-]+)/.exec(
      attributes['class'] ?? '',
    )?.[1] ?? ''
  );
}
