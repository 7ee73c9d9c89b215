import { type MarkdownWriter, toOneLine } from '@trove/text/markdown';
import { writeChart } from '../markdown/chart.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { chartIn } from '../ooxml/chart.js';
import { partTexts } from '../ooxml/drawings.js';
import { childOf, childrenOf, elementsOf, type XmlElement } from '../xml/element.js';
import { readXmlRoot } from '../xml/read.js';
import { paragraphsOf, type Links, type SlideParagraph } from './text.js';

/** Placeholders for a date, a number or a picture. */
const repeated = new Set(['dt', 'sldNum', 'sldImg']);
/** Placeholders with the same text on every slide. */
const edges = new Set(['ftr', 'hdr']);
const titles = new Set(['title', 'ctrTitle']);

/** Writes the content of a slide and then its notes. */
export class SlideReader {
  readonly #package: OfficePackage;
  readonly #writer: MarkdownWriter;
  #links: Links = () => undefined;
  #parts: ReadonlyMap<string, string> = new Map();
  /** Shared parts and texts, which are written with the first slide. */
  readonly #shown = new Set<string>();

  constructor(document: OfficePackage, writer: MarkdownWriter) {
    this.#package = document;
    this.#writer = writer;
  }

  read(part: string): void {
    const root = readXmlRoot(this.#package.archive, part);
    if (root === undefined) return;
    const relationships = this.#package.relationships(part);
    this.#parts = new Map(relationships.map(({ id, target }) => [id, target]));
    const external = new Map(
      relationships.filter((each) => each.external).map(({ id, target }) => [id, target]),
    );
    this.#links = (id) => external.get(id);
    const shapes = shapesOf(childOf(childOf(root, 'cSld'), 'spTree'));
    const isTitle = (shape: XmlElement) => titles.has(placeholderOf(shape) ?? '');
    for (const shape of shapes.filter(isTitle)) this.#title(shape);
    for (const shape of shapes) if (!isTitle(shape)) this.#shape(shape);
    if (root.attributes['showMasterSp'] !== '0') this.#design(part, 'slideLayout');
    const notes = relationships.find(({ kind }) => kind === 'notesSlide')?.target;
    if (notes !== undefined) this.#notes(readXmlRoot(this.#package.archive, notes));
    for (const { kind, target } of relationships) if (kind === 'comments') this.#comments(target);
  }

  /** Writes the shapes of a slide's layout and of the layout's master. */
  #design(part: string, wanted: 'slideLayout' | 'slideMaster'): void {
    for (const { kind, target } of this.#package.relationships(part)) {
      if (kind !== wanted || this.#shown.has(target)) continue;
      this.#shown.add(target);
      const root = readXmlRoot(this.#package.archive, target);
      for (const shape of shapesOf(childOf(childOf(root, 'cSld'), 'spTree')))
        if (placeholderOf(shape) === undefined && shape.name === 'sp') this.#shape(shape);
      if (kind === 'slideLayout' && root?.attributes['showMasterSp'] !== '0')
        this.#design(target, 'slideMaster');
    }
  }

  #title(shape: XmlElement): void {
    const paragraphs = paragraphsOf(childOf(shape, 'txBody'), () => undefined);
    this.#writer.heading(2, paragraphs.map(({ text }) => toOneLine(text)).join(' '));
  }

  #shape(shape: XmlElement): void {
    const placeholder = placeholderOf(shape);
    if (shape.name === 'graphicFrame') {
      this.#frame(shape);
    } else if (edges.has(placeholder ?? '')) {
      for (const { text } of paragraphsOf(childOf(shape, 'txBody'), this.#links)) {
        if (!this.#shown.has(text)) this.#writer.paragraph(text);
        this.#shown.add(text);
      }
    } else if (!repeated.has(placeholder ?? '')) {
      // The design decides whether a body has bullets, which is almost always the case.
      const inList = placeholder === 'body' || placeholder === 'obj';
      this.#paragraphs(paragraphsOf(childOf(shape, 'txBody'), this.#links), inList);
    }
  }

  #paragraphs(paragraphs: readonly SlideParagraph[], inList: boolean): void {
    let number = 0;
    const listed = inList && paragraphs.length > 1;
    const lines: string[] = [];
    for (const { text, depth, numbered, bulleted } of paragraphs) {
      number = numbered ? number + 1 : 0;
      if (!numbered && !bulleted && !listed) {
        lines.push(text);
        continue;
      }
      this.#writer.paragraph(lines.splice(0).join('\n'));
      this.#writer.item(depth, numbered ? `${number}.` : '-', text);
    }
    this.#writer.paragraph(lines.join('\n'));
  }

  /** Writes a table, or a chart or diagram in a separate part. */
  #frame(frame: XmlElement): void {
    const data = childOf(childOf(frame, 'graphic'), 'graphicData');
    const table = childOf(data, 'tbl');
    if (table !== undefined) {
      this.#writer.table([...childrenOf(table, 'tr')].map((row) => this.#row(row)));
      return;
    }
    for (const element of data === undefined ? [] : elementsOf(data)) {
      const id = element.attributes['r:dm'] ?? element.attributes['r:id'];
      const part = id === undefined ? undefined : this.#parts.get(id);
      const chart = chartIn(this.#package.archive, part);
      if (chart !== null) writeChart(this.#writer, chart);
      else
        for (const text of partTexts(this.#package.archive, part)) this.#writer.item(0, '-', text);
    }
  }

  /** Covered cells are empty. */
  #row(row: XmlElement): string[] {
    return [...childrenOf(row, 'tc')].map((cell) => {
      if (cell.attributes['hMerge'] !== undefined || cell.attributes['vMerge'] !== undefined)
        return '';
      return paragraphsOf(childOf(cell, 'txBody'), this.#links)
        .map(({ text }) => text)
        .join('\n');
    });
  }

  #notes(root: XmlElement | undefined): void {
    for (const shape of shapesOf(childOf(childOf(root, 'cSld'), 'spTree'))) {
      const placeholder = placeholderOf(shape) ?? '';
      if (repeated.has(placeholder) || edges.has(placeholder)) continue;
      const text = paragraphsOf(childOf(shape, 'txBody'), () => undefined).map((each) => each.text);
      if (text.length > 0) this.#writer.quote(`Notes: ${text.join('\n')}`);
    }
  }

  #comments(part: string): void {
    for (const text of partTexts(this.#package.archive, part))
      this.#writer.quote(`Comment: ${text}`);
  }
}

/** Shapes in the order of drawing, which is also the order of screen readers. Shapes of a group take its position. */
function shapesOf(parent: XmlElement | undefined, found: XmlElement[] = []): XmlElement[] {
  for (const element of parent === undefined ? [] : elementsOf(parent)) {
    if (/^(?:sp|cxnSp|graphicFrame)$/.test(element.name)) found.push(element);
    else if (element.name === 'grpSp') shapesOf(element, found);
    else if (element.name === 'AlternateContent')
      shapesOf(childOf(element, 'Choice') ?? childOf(element, 'Fallback'), found);
  }
  return found;
}

/** Returns the role of a shape in the design, such as `title` or `body`, or undefined. */
function placeholderOf(shape: XmlElement): string | undefined {
  const properties = [...elementsOf(shape)].find(({ name }) => name.startsWith('nv'));
  const placeholder = childOf(childOf(properties, 'nvPr'), 'ph');
  return placeholder === undefined ? undefined : (placeholder.attributes['type'] ?? 'obj');
}
