import { type MarkdownWriter, maxTableColumns, toOneLine } from '@trove/text/markdown';
import { chartText, writeChart, type Chart } from '../markdown/chart.js';
import { labelled, writeItem } from '../markdown/labels.js';
import { childrenOf, descendantsOf, elementsOf, type XmlElement } from '../xml/element.js';
import { inlineText, type OdfInlineContext } from './inline.js';
import { countItem, savedLabel, type ItemCounters } from './numbering.js';
import { repeated, rowsOf, type OdfStyles } from './styles.js';

/** The list context of a block. */
interface BlockPosition {
  /** The depth of the surrounding list from 0, or -1 outside lists. */
  readonly depth: number;
  readonly listStyle?: string | undefined;
  readonly counted: ItemCounters;
  /** The number of the item, or undefined to continue the count. */
  readonly start?: string | undefined;
}

const outside: BlockPosition = { depth: -1, counted: [] };

/** Writes paragraphs, headings, lists and tables in order. */
export class OdfBlocks {
  readonly #writer: MarkdownWriter;
  readonly #styles: OdfStyles;
  readonly #object: (object: XmlElement) => Chart | string;
  /** The counters of lists by id and by style. */
  readonly #counted = new Map<string, ItemCounters>();
  readonly #headings: ItemCounters = [];
  #notes = 0;
  #page = 1;

  /** `object` reads an embedded document. */
  constructor(
    writer: MarkdownWriter,
    styles: OdfStyles,
    object: (object: XmlElement) => Chart | string,
  ) {
    this.#writer = writer;
    this.#styles = styles;
    this.#object = object;
  }

  /** The number of pages so far in the last layout. */
  get pages(): number {
    return this.#page;
  }

  blocks(parent: XmlElement): void {
    for (const child of elementsOf(parent)) this.block(child);
  }

  block(element: XmlElement, place: BlockPosition = outside): void {
    switch (element.name) {
      case 'p':
      case 'h':
        this.#paragraph(element, (text) => this.#text(text, element, place));
        break;
      case 'list':
        this.#list(element, place);
        break;
      case 'table':
        this.#table(element);
        break;
      case 'object':
        this.#embedded(element);
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
    const charts: Chart[] = [];
    let pages = 0;
    const text = inlineText(element, {
      ...this.#context,
      box: (content) => boxes.push(content),
      object: (embedded) => {
        const object = this.#object(embedded);
        if (typeof object === 'string') return object;
        charts.push(object);
        return '';
      },
      page: () => pages++,
    });
    write(text);
    for (const box of boxes) this.blocks(box);
    for (const chart of charts) writeChart(this.#writer, chart);
    for (; pages > 0; pages--) this.#pageEnds();
  }

  /** Writes a formula, chart or sheet between paragraphs. */
  #embedded(element: XmlElement): void {
    const object = this.#object(element);
    if (typeof object === 'string') this.#writer.paragraph(object);
    else writeChart(this.#writer, object);
  }

  #text(text: string, element: XmlElement, place: BlockPosition): void {
    const level = this.#level(element);
    if (level === undefined) this.#writer.paragraph(text);
    else this.#writer.heading(level, labelled(this.#headingLabel(element, level, place), text));
  }

  /** 1 for the highest heading. Undefined for text. */
  #level({ name, attributes }: XmlElement): number | undefined {
    return name === 'h'
      ? Number(attributes['text:outline-level'] ?? 1) || 1
      : this.#styles.heading(attributes['text:style-name']);
  }

  #headingLabel(heading: XmlElement, level: number, place: BlockPosition): string {
    const { attributes, name } = heading;
    if (attributes['text:is-list-header'] === 'true') return '';
    const saved = savedLabel(heading);
    const inList = this.#label(place);
    if (inList !== '' || name !== 'h') return saved ?? inList;
    const start =
      attributes['text:restart-numbering'] === 'true'
        ? (attributes['text:start-value'] ?? '1')
        : undefined;
    const counted = countItem(this.#styles.outline, this.#headings, level - 1, start);
    return saved ?? counted;
  }

  /** Counts an item if the place is in a list, and returns its label. */
  #label({ depth, listStyle, counted, start }: BlockPosition): string {
    return depth < 0 ? '' : countItem(this.#styles.list(listStyle), counted, depth, start);
  }

  #list(list: XmlElement, around: BlockPosition): void {
    for (const [child, place] of this.#itemParts(list, around)) {
      if (isText(child) && place.depth >= 0) this.#item(child, place);
      else this.block(child, place);
    }
  }

  /**
   * Yields the elements of a list's items with their context. Only the first paragraph of an item belongs to the list.
   */
  *#itemParts(list: XmlElement, around: BlockPosition): Generator<[XmlElement, BlockPosition]> {
    const listStyle = list.attributes['text:style-name'] ?? around.listStyle;
    const counted = this.#countedOf(list, listStyle, around);
    for (const item of elementsOf(list)) {
      const start = item.attributes['text:start-value'];
      let isCounted = item.name !== 'list-item';
      for (const child of elementsOf(item)) {
        const place = { depth: around.depth + 1, listStyle, counted };
        if (!isText(child)) yield [child, place];
        else yield [child, isCounted ? outside : { ...place, start }];
        isCounted ||= isText(child);
      }
    }
  }

  #item(paragraph: XmlElement, place: BlockPosition): void {
    if (this.#level(paragraph) !== undefined) this.block(paragraph, place);
    else {
      const counted = this.#label(place);
      const label = savedLabel(paragraph) ?? counted;
      this.#paragraph(paragraph, (text) => writeItem(this.#writer, place.depth, label, text));
    }
  }

  /** Returns the counters of a list. It continues those of an earlier list, and nested lists share them. */
  #countedOf(
    { attributes }: XmlElement,
    style: string | undefined,
    around: BlockPosition,
  ): ItemCounters {
    const continues = attributes['text:continue-numbering'] === 'true';
    if (around.depth >= 0) {
      if (!continues) around.counted.length = Math.min(around.counted.length, around.depth + 1);
      return around.counted;
    }
    const earlier = attributes['text:continue-list'];
    const counted =
      (earlier === undefined ? undefined : this.#counted.get(`id ${earlier}`)) ??
      (continues ? this.#counted.get(`style ${style}`) : undefined) ??
      [];
    this.#counted.set(`id ${attributes['xml:id']}`, counted);
    this.#counted.set(`style ${style}`, counted);
    return counted;
  }

  #table(table: XmlElement): void {
    const rows = rowsOf(table);
    const cells = rows.map((row) =>
      [...elementsOf(row)].filter(({ name }) => name.endsWith('table-cell')),
    );
    const [only] = cells[0] ?? [];
    // A table of one cell is only a frame around its content.
    if (rows.length === 1 && cells[0]?.length === 1 && only !== undefined) {
      this.blocks(only);
      return;
    }
    this.#writer.table(cells.map((row) => row.flatMap((cell) => this.#cell(cell))));
    descendantsOf(table, 'soft-page-break').forEach(() => this.#pageEnds());
  }

  /** A covered cell is empty. */
  #cell(cell: XmlElement): string[] {
    const text = cell.name === 'covered-table-cell' ? '' : this.#cellText(cell);
    return Array.from(
      { length: repeated(cell, 'columns', text === '' ? maxTableColumns : 50) },
      () => text,
    );
  }

  #cellText(cell: XmlElement): string {
    return Array.from(elementsOf(cell))
      .flatMap((child) => this.#cellLines(child, outside))
      .filter((text) => text.trim() !== '')
      .join('\n');
  }

  #cellLines(element: XmlElement, place: BlockPosition): string[] {
    if (isText(element)) {
      const counted = this.#label(place);
      const beside: string[] = [];
      const text = inlineText(element, {
        ...this.#context,
        box: (content) => beside.push(this.#cellText(content)),
        object: (object) => this.#objectText(object),
      });
      return [labelled(savedLabel(element) ?? counted, text), ...beside];
    }
    if (element.name === 'list')
      return Array.from(this.#itemParts(element, place)).flatMap(([child, within]) =>
        this.#cellLines(child, within),
      );
    if (element.name === 'table')
      return rowsOf(element).map((row) =>
        Array.from(childrenOf(row, 'table-cell'), (each) => toOneLine(this.#cellText(each))).join(
          ' · ',
        ),
      );
    if (element.name === 'object') return [this.#objectText(element)];
    if (element.name === 'annotation') return [];
    return Array.from(elementsOf(element)).flatMap((child) => this.#cellLines(child, outside));
  }

  #objectText(element: XmlElement): string {
    const object = this.#object(element);
    return typeof object === 'string' ? object : chartText(object);
  }

  /** The handlers for all paragraphs, without boxes and pages. */
  get #context(): OdfInlineContext {
    return {
      note: (text) => this.#note(text),
      box: () => {},
      page: () => {},
      shift: (style) => this.#styles.shift(style),
      object: () => '',
    };
  }

  #note(text: string): string {
    if (text.trim() === '') return '';
    this.#notes++;
    this.#writer.footnote(String(this.#notes), text);
    return `[^${this.#notes}]`;
  }

  #pageEnds(): void {
    this.#page++;
    this.#writer.part('page', this.#page);
  }
}

function isText({ name }: XmlElement): boolean {
  return name === 'p' || name === 'h';
}
