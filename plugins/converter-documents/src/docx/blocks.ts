import { oneLine } from '../markdown/escape.js';
import type { MarkdownWriter } from '../markdown/writer.js';
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
    const rows = [...childrenOf(table, 'tr')].map((row) => [...cellsOf(row)]);
    const [only] = rows[0] ?? [];
    // A table of one cell is a frame around what is in it.
    if (rows.length === 1 && rows[0]?.length === 1 && only !== undefined) {
      this.blocks(only);
      return;
    }
    this.#writer.table(rows.map((row) => row.flatMap((cell) => this.#cell(cell))));
    // A row across two pages has the break in each of its cells.
    for (const row of childrenOf(table, 'tr')) this.#pagesEnd(hasPageBreak(row) ? 1 : 0);
  }

  /** The text of a cell, then one empty cell for each further column that it covers. */
  #cell(cell: XmlElement): string[] {
    const properties = childOf(cell, 'tcPr');
    const columns = Number(valueOf(childOf(properties, 'gridSpan')) ?? 1);
    const merged = childOf(properties, 'vMerge');
    const covered = merged !== undefined && valueOf(merged) !== 'restart';
    const text = covered ? '' : this.#cellText(cell);
    return [text, ...Array.from({ length: Math.min(Math.max(columns, 1), 100) - 1 }, () => '')];
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
        texts.push([...cellsOf(child)].map((cell) => oneLine(this.#cellText(cell))).join(' · '));
      } else if (!child.name.endsWith('Pr')) {
        texts.push(this.#cellText(child));
      }
    }
    return texts.filter((text) => text.trim() !== '').join('\n');
  }
}

function hasPageBreak(row: XmlElement): boolean {
  return descendantsOf(row, 'lastRenderedPageBreak').next().done !== true;
}

/** Cells may stand in a content control. */
function* cellsOf(row: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(row)) {
    if (child.name === 'tc') yield child;
    else if (/^(?:sdt|sdtContent|customXml|ins)$/.test(child.name)) yield* cellsOf(child);
  }
}
