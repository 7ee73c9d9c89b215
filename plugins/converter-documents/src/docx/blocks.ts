import { type MarkdownWriter, maxTableColumns, toOneLine } from '@trove/text/markdown';
import { chartText, writeChart, type Chart } from '../markdown/chart.js';
import { labelled, writeItem } from '../markdown/labels.js';
import { childOf, descendantsOf, type XmlElement } from '../xml/element.js';
import { contentOf, isMarkDeleted, partsOf } from './content.js';
import { InlineText, type DocxInlineContext } from './inline.js';
import type { Lists } from './lists.js';
import { valueOf, type DocxStyles } from './styles.js';

/** The content that blocks refer to. */
interface BlockReferences extends Pick<DocxInlineContext, 'link' | 'note'> {
  /** Returns a chart, or the texts in a diagram. */
  drawing(id: string): Chart | readonly string[];
}

/** Writes the paragraphs and tables of a document in order. */
export class DocxBlocks {
  readonly #writer: MarkdownWriter;
  readonly #styles: DocxStyles;
  readonly #lists: Lists;
  readonly #references: BlockReferences;
  #page = 1;
  /** The text of paragraphs with deleted marks, which continue in the next paragraph. */
  #pendingText = '';

  constructor(
    writer: MarkdownWriter,
    styles: DocxStyles,
    lists: Lists,
    references: BlockReferences,
  ) {
    this.#writer = writer;
    this.#styles = styles;
    this.#lists = lists;
    this.#references = references;
  }

  /** The number of pages so far in the last layout. */
  get pages(): number {
    return this.#page;
  }

  block(element: XmlElement): void {
    if (isParagraph(element)) this.#paragraph(element);
    else if (element.name === 'tbl') this.#table(element);
    else this.blocks(element);
  }

  blocks(parent: XmlElement): void {
    for (const child of contentOf(parent)) this.block(child);
  }

  #paragraph(element: XmlElement): void {
    const boxes: XmlElement[] = [];
    const drawings: (Chart | readonly string[])[] = [];
    const pageEnds = { before: 0, within: 0 };
    let hasManualBreak = false;
    const properties = childOf(element, 'pPr');
    if (childOf(properties, 'pageBreakBefore') !== undefined) this.#writer.rule();
    const text = new InlineText({
      ...this.#references,
      box: (content) => boxes.push(content),
      drawing: (id) => drawings.push(this.#references.drawing(id)),
      page: (byAuthor, beforeText) => {
        if (byAuthor) hasManualBreak = true;
        else pageEnds[beforeText ? 'before' : 'within']++;
      },
    }).read(element);
    this.#pagesEnd(pageEnds.before);
    this.#pendingText += text;
    if (!isMarkDeleted(properties)) this.#endText(properties);
    for (const box of boxes) this.#box(box);
    for (const each of drawings) this.#drawing(each);
    if (hasManualBreak) this.#writer.rule();
    this.#pagesEnd(pageEnds.within);
  }

  /** Writes a text box before its paragraph if the next paragraph continues that. */
  #box(content: XmlElement): void {
    const pendingText = this.#pendingText;
    this.#pendingText = '';
    this.blocks(content);
    this.end();
    this.#pendingText = pendingText;
  }

  #drawing(drawing: Chart | readonly string[]): void {
    if ('rows' in drawing) writeChart(this.#writer, drawing);
    else for (const label of drawing) this.#writer.item(0, '-', label);
  }

  #pagesEnd(count: number): void {
    this.#page += count;
    if (count > 0) this.#writer.part('page', this.#page);
  }

  #endText(properties: XmlElement | undefined): void {
    const text = this.#pendingText;
    this.#pendingText = '';
    const { heading, list = this.#listOfHeading(heading, properties) } =
      this.#styles.of(properties);
    const label = list === undefined ? undefined : this.#lists.next(list);
    if (text.trim() === '') return;
    if (heading !== undefined) this.#writer.heading(heading, labelled(label?.text, text));
    else if (list === undefined || label === undefined) this.#writer.paragraph(text);
    else writeItem(this.#writer, this.#lists.depthOf(list), label.text, text);
  }

  /** A numbering may name heading styles that do not name it. */
  #listOfHeading(heading: number | undefined, properties: XmlElement | undefined) {
    if (heading === undefined) return undefined;
    return this.#lists.ofStyle(valueOf(childOf(properties, 'pStyle')) ?? '');
  }

  /** Ends the content, so that no paragraph can continue an earlier one. */
  end(): void {
    this.#endText(undefined);
  }

  #table(table: XmlElement): void {
    this.end();
    const rows = rowsOf(table);
    const [first, second] = rows;
    const cells = first === undefined || second !== undefined ? [] : cellsOf(first);
    // A table of one cell is only a frame around its content.
    if (cells.length === 1 && cells[0] !== undefined) {
      this.blocks(cells[0]);
      return;
    }
    this.#writer.table(rows.map((row) => this.#row(row)));
    // A row across two pages has the page break in each cell.
    for (const row of rows) this.#pagesEnd(hasPageBreak(row) ? 1 : 0);
  }

  /** Returns the texts of a row's cells. Columns that a cell spans or that are covered are empty. */
  #row(row: XmlElement): string[] {
    const texts: string[] = [];
    let column = Number(valueOf(childOf(childOf(row, 'trPr'), 'gridBefore')) ?? 0) || 0;
    for (const cell of cellsOf(row)) {
      const properties = childOf(cell, 'tcPr');
      const merged = childOf(properties, 'vMerge');
      const isCovered = merged !== undefined && valueOf(merged) !== 'restart';
      const text = isCovered ? '' : this.#cellText(cell);
      if (text !== '') {
        while (texts.length < Math.min(column, maxTableColumns)) texts.push('');
        texts.push(text);
      }
      column += Math.max(Number(valueOf(childOf(properties, 'gridSpan')) ?? 1) || 1, 1);
    }
    return texts;
  }

  #cellText(parent: XmlElement): string {
    const texts: string[] = [];
    let pendingText = '';
    for (const child of contentOf(parent)) {
      if (isParagraph(child)) {
        const boxes: XmlElement[] = [];
        const drawings: (Chart | readonly string[])[] = [];
        const context = {
          ...this.#references,
          box: (box: XmlElement) => boxes.push(box),
          drawing: (id: string) => drawings.push(this.#references.drawing(id)),
          page: () => {},
        };
        pendingText += new InlineText(context).read(child);
        const properties = childOf(child, 'pPr');
        if (!isMarkDeleted(properties)) {
          texts.push(this.#numbered(pendingText, properties));
          pendingText = '';
        }
        texts.push(...boxes.map((box) => this.#cellText(box)));
        texts.push(...drawings.map((each) => ('rows' in each ? chartText(each) : each.join('\n'))));
      } else if (child.name === 'tbl') {
        texts.push(...rowsOf(child).map((row) => this.#nestedRow(row)));
      } else {
        texts.push(this.#cellText(child));
      }
    }
    return [...texts, pendingText].filter((text) => text.trim() !== '').join('\n');
  }

  #nestedRow(row: XmlElement): string {
    return cellsOf(row)
      .map((cell) => toOneLine(this.#cellText(cell)))
      .join(' · ');
  }

  #numbered(text: string, properties: XmlElement | undefined): string {
    const { list } = this.#styles.of(properties);
    const label = list === undefined ? undefined : this.#lists.next(list);
    return text.trim() === '' ? '' : labelled(label?.text, text);
  }
}

/** A formula may stand between paragraphs. */
function isParagraph({ name }: XmlElement): boolean {
  return name === 'p' || name === 'oMathPara' || name === 'oMath';
}

function hasPageBreak(row: XmlElement): boolean {
  return descendantsOf(row, 'lastRenderedPageBreak').length > 0;
}

function rowsOf(table: XmlElement): XmlElement[] {
  return partsOf(table, 'tr');
}

function cellsOf(row: XmlElement): XmlElement[] {
  return partsOf(row, 'tc');
}
