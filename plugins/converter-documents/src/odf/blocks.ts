import { type MarkdownWriter, MAX_COLUMNS } from '@trove/core/markdown';
import { childrenOf, descendantsOf, elementsOf, type XmlElement } from '../xml/element.js';
import { inlineText, plainText } from './inline.js';
import { repeated, rowsOf, type OdfStyles } from './styles.js';

/** What is in force where a block stands. */
interface Place {
  /** Depth of the list around, from 0; -1 outside of lists. */
  readonly depth: number;
  readonly listStyle?: string | undefined;
}

const outside: Place = { depth: -1 };

/** Writes paragraphs, headings, lists and tables, one after the other. */
export class OdfBlocks {
  readonly #writer: MarkdownWriter;
  readonly #styles: OdfStyles;
  #notes = 0;
  #page = 1;

  constructor(writer: MarkdownWriter, styles: OdfStyles) {
    this.#writer = writer;
    this.#styles = styles;
  }

  /** Pages begun so far, as the document was last laid out. */
  get pages(): number {
    return this.#page;
  }

  blocks(parent: XmlElement): void {
    for (const child of elementsOf(parent)) this.block(child);
  }

  block(element: XmlElement, place: Place = outside): void {
    switch (element.name) {
      case 'p':
      case 'h':
        this.#paragraph(element, (text) => this.#text(text, element));
        break;
      case 'list':
        this.#list(element, place);
        break;
      case 'table':
        this.#table(element);
        break;
      case 'soft-page-break':
        this.#pageEnds();
        break;
      default:
        this.blocks(element);
    }
  }

  #paragraph(element: XmlElement, write: (text: string) => void): void {
    const boxes: XmlElement[] = [];
    let pages = 0;
    const text = inlineText(element, {
      note: (note) => this.#note(note),
      box: (content) => boxes.push(content),
      page: () => pages++,
    });
    write(text);
    for (const box of boxes) this.blocks(box);
    for (; pages > 0; pages--) this.#pageEnds();
  }

  #text(text: string, { name, attributes }: XmlElement): void {
    const level =
      name === 'h'
        ? Number(attributes['text:outline-level'] ?? 1)
        : this.#styles.heading(attributes['text:style-name']);
    if (level === undefined) this.#writer.paragraph(text);
    else this.#writer.heading(level, text);
  }

  #list(list: XmlElement, around: Place): void {
    const depth = around.depth + 1;
    const listStyle = list.attributes['text:style-name'] ?? around.listStyle;
    const numbered = this.#styles.isNumbered(listStyle, depth);
    let number = 0;
    for (const item of elementsOf(list)) {
      number = Number(item.attributes['text:start-value'] ?? number + 1) || 1;
      let marker: string | undefined = numbered ? `${number}.` : '-';
      for (const child of elementsOf(item)) {
        if (child.name === 'h') {
          this.block(child);
        } else if (child.name === 'p' && marker !== undefined && item.name === 'list-item') {
          const first = marker;
          this.#paragraph(child, (text) => this.#writer.item(depth, first, text));
          marker = undefined;
        } else {
          this.block(child, { depth, listStyle });
        }
      }
    }
  }

  #table(table: XmlElement): void {
    const rows = rowsOf(table);
    const cells = rows.map((row) =>
      [...elementsOf(row)].filter(({ name }) => name.endsWith('table-cell')),
    );
    const [only] = cells[0] ?? [];
    // A table of one cell is a frame around what is in it.
    if (rows.length === 1 && cells[0]?.length === 1 && only !== undefined) {
      this.blocks(only);
      return;
    }
    this.#writer.table(cells.map((row) => row.flatMap((cell) => this.#cell(cell))));
    descendantsOf(table, 'soft-page-break').forEach(() => this.#pageEnds());
  }

  /** A cell that another one covers is empty. */
  #cell(cell: XmlElement): string[] {
    const text = cell.name === 'covered-table-cell' ? '' : this.#cellText(cell);
    return Array.from(
      { length: repeated(cell, 'columns', text === '' ? MAX_COLUMNS : 50) },
      () => text,
    );
  }

  #cellText(cell: XmlElement): string {
    const texts: string[] = [];
    for (const child of elementsOf(cell)) {
      if (child.name === 'p' || child.name === 'h') {
        const around = { note: (text: string) => this.#note(text), box: () => {}, page: () => {} };
        texts.push(inlineText(child, around));
      } else if (child.name === 'table') {
        for (const row of rowsOf(child)) {
          texts.push([...childrenOf(row, 'table-cell')].map((each) => plainText(each)).join(' · '));
        }
      } else {
        texts.push(plainText(child));
      }
    }
    return texts.filter((text) => text.trim() !== '').join('\n');
  }

  #note(text: string): string {
    if (text.trim() === '') return '';
    this.#notes++;
    this.#writer.note(String(this.#notes), text);
    return `[^${this.#notes}]`;
  }

  #pageEnds(): void {
    this.#page++;
    this.#writer.part('page', this.#page);
  }
}
