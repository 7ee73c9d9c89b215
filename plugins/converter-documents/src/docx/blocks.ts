import { type MarkdownWriter, MAX_COLUMNS, oneLine } from '@trove/core/markdown';
import { childOf, childrenOf, descendantsOf, elementsOf, type XmlElement } from '../xml/element.js';
import { InlineText, type Surroundings } from './inline.js';
import type { Lists } from './lists.js';
import { valueOf, type Styles } from './styles.js';

/** What the blocks of a document refer to. */
interface References extends Pick<Surroundings, 'link' | 'note'> {
  /** The texts in a chart or diagram. */
  drawing(id: string): readonly string[];
}

/** Writes the paragraphs and tables of a document, one after the other. */
export class Blocks {
  readonly #writer: MarkdownWriter;
  readonly #styles: Styles;
  readonly #lists: Lists;
  readonly #around: References;
  #page = 1;

  constructor(writer: MarkdownWriter, styles: Styles, lists: Lists, around: References) {
    this.#writer = writer;
    this.#styles = styles;
    this.#lists = lists;
    this.#around = around;
  }

  /** Pages begun so far, as the document was last laid out. */
  get pages(): number {
    return this.#page;
  }

  block(element: XmlElement): void {
    if (element.name === 'p') this.#paragraph(element);
    else if (element.name === 'tbl') this.#table(element);
    else if (element.name === 'AlternateContent') this.block(childOf(element, 'Choice') ?? element);
    else if (!/Pr$|^(?:del|moveFrom)$/.test(element.name)) this.blocks(element);
  }

  blocks(parent: XmlElement): void {
    for (const child of elementsOf(parent)) this.block(child);
  }

  #paragraph(element: XmlElement): void {
    const boxes: XmlElement[] = [];
    const drawn: string[] = [];
    const laidOut = { before: 0, within: 0 };
    let forced = false;
    const properties = childOf(element, 'pPr');
    if (childOf(properties, 'pageBreakBefore') !== undefined) this.#writer.rule();
    const text = new InlineText({
      ...this.#around,
      box: (content) => boxes.push(content),
      drawing: (id) => drawn.push(...this.#around.drawing(id)),
      page: (byAuthor, beforeText) => {
        if (byAuthor) forced = true;
        else laidOut[beforeText ? 'before' : 'within']++;
      },
    }).read(element);
    this.#pagesEnd(laidOut.before);
    this.#text(text, properties);
    for (const box of boxes) this.blocks(box);
    for (const label of drawn) this.#writer.item(0, '-', label);
    if (forced) this.#writer.rule();
    this.#pagesEnd(laidOut.within);
  }

  #pagesEnd(count: number): void {
    this.#page += count;
    if (count > 0) this.#writer.part('page', this.#page);
  }

  #text(text: string, properties: XmlElement | undefined): void {
    if (text.trim() === '') return;
    const { heading, list } = this.#styles.of(properties);
    const marker = list === undefined ? undefined : this.#lists.marker(list.id, list.depth);
    if (heading !== undefined) this.#writer.heading(heading, text);
    else if (marker !== undefined) this.#writer.item(list?.depth ?? 0, marker, text);
    else this.#writer.paragraph(text);
  }

  #table(table: XmlElement): void {
    const rows = [...childrenOf(table, 'tr')];
    const [first, second] = rows;
    const cells = first === undefined || second !== undefined ? [] : cellsOf(first);
    // A table of one cell is a frame around what is in it.
    if (cells.length === 1 && cells[0] !== undefined) {
      this.blocks(cells[0]);
      return;
    }
    this.#writer.table(rows.map((row) => this.#row(row)));
    // A row across two pages has the break in each of its cells.
    for (const row of rows) this.#pagesEnd(hasPageBreak(row) ? 1 : 0);
  }

  /** The texts of a row's cells; where a cell covers further columns, or is covered, there is none. */
  #row(row: XmlElement): string[] {
    const texts: string[] = [];
    let column = 0;
    for (const cell of cellsOf(row)) {
      const properties = childOf(cell, 'tcPr');
      const merged = childOf(properties, 'vMerge');
      const isCovered = merged !== undefined && valueOf(merged) !== 'restart';
      const text = isCovered ? '' : this.#cellText(cell);
      if (text !== '') {
        while (texts.length < Math.min(column, MAX_COLUMNS)) texts.push('');
        texts.push(text);
      }
      column += Math.max(Number(valueOf(childOf(properties, 'gridSpan')) ?? 1) || 1, 1);
    }
    return texts;
  }

  #cellText(parent: XmlElement): string {
    const texts: string[] = [];
    for (const child of elementsOf(parent)) {
      if (child.name === 'p') {
        const boxes: XmlElement[] = [];
        const around = {
          ...this.#around,
          box: (box: XmlElement) => boxes.push(box),
          page: () => {},
        };
        texts.push(new InlineText(around).read(child), ...boxes.map((box) => this.#cellText(box)));
      } else if (child.name === 'tr') {
        texts.push(
          cellsOf(child)
            .map((cell) => oneLine(this.#cellText(cell)))
            .join(' · '),
        );
      } else if (!child.name.endsWith('Pr')) {
        texts.push(this.#cellText(child));
      }
    }
    return texts.filter((text) => text.trim() !== '').join('\n');
  }
}

function hasPageBreak(row: XmlElement): boolean {
  return descendantsOf(row, 'lastRenderedPageBreak').length > 0;
}

/** Cells may stand in a content control. */
function cellsOf(row: XmlElement, found: XmlElement[] = []): XmlElement[] {
  for (const child of elementsOf(row)) {
    if (child.name === 'tc') found.push(child);
    else if (/^(?:sdt|sdtContent|customXml|ins)$/.test(child.name)) cellsOf(child, found);
  }
  return found;
}
