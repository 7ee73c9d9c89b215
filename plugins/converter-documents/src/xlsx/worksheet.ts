import { formatLink, maxTableColumns } from '@trove/text/markdown';
import type { SheetsWriter } from '../markdown/sheets-writer.js';
import { chartIn } from '../ooxml/chart.js';
import { partTexts } from '../ooxml/drawings.js';
import type { OfficePackage, Relationship } from '../ooxml/office-package.js';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.js';
import { readXml } from '../xml/read.js';
import { cellText, columnOf, richText, unescaped, type CellContext } from './cells.js';

/** Elements after the cells that are read beforehand or not needed. */
const notCells = new Set(['hyperlinks', 'conditionalFormatting', 'dataValidations', 'extLst']);

/** Writes the cells of a worksheet and then its comments, charts and other texts. */
export function readWorksheet(
  document: OfficePackage,
  part: string,
  sheets: SheetsWriter,
  context: CellContext,
): void {
  const { archive } = document;
  const relationships = document.relationships(part);
  const links = linksOf(document, part, relationships);
  let last = 0;
  readXml(archive, part, {
    whole: (name) => name === 'row',
    without: (name) => notCells.has(name),
    take: (row) => {
      if (sheets.sheetFull) return;
      const number = Number(row.attributes['r']) || last + 1;
      if (number > last + 1) sheets.row([]);
      last = number;
      const { texts, beyond } = rowTexts(row, context, links);
      sheets.row(texts);
      const [first] = beyond;
      if (first !== undefined)
        sheets.beyond(
          `Row ${number} from column ${first.column}`,
          beyond.map(({ text }) => text),
        );
    },
    enough: () => sheets.sheetFull,
  });
  writeComments(document, relationships, context, sheets);
  for (const { kind, target } of relationships) {
    if (kind !== 'drawing') continue;
    for (const text of partTexts(archive, target)) sheets.beside(text);
    for (const drawn of document.relationships(target)) {
      const chart = sheets.full ? null : chartIn(archive, drawn.target);
      if (chart !== null) sheets.chart(chart);
    }
  }
}

interface RowTexts {
  /** By column. */
  readonly texts: string[];
  /** Texts in columns beyond the limit of a table. */
  readonly beyond: { readonly column: string; readonly text: string }[];
}

function rowTexts(
  row: XmlElement,
  context: CellContext,
  links: ReadonlyMap<string, string>,
): RowTexts {
  const texts: string[] = [];
  const beyond: RowTexts['beyond'] = [];
  for (const cell of childrenOf(row, 'c')) {
    const reference = cell.attributes['r'];
    const column = columnOf(reference) ?? texts.length;
    const plain = cellText(cell, context);
    const url = reference === undefined ? undefined : links.get(reference);
    const text = url === undefined ? plain : formatLink(plain, url);
    if (column >= maxTableColumns) {
      if (text.trim() !== '') beyond.push({ column: reference?.replace(/\d+$/, '') ?? '', text });
      continue;
    }
    while (texts.length < column) texts.push('');
    texts[column] = text;
  }
  return { texts, beyond };
}

/** Returns link addresses by cell. */
function linksOf(
  { archive }: OfficePackage,
  part: string,
  relationships: readonly Relationship[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const external = relationships.filter((each) => each.kind === 'hyperlink' && each.external);
  if (external.length === 0) return found;
  const targets = new Map(external.map(({ id, target }) => [id, target]));
  readXml(archive, part, {
    whole: () => false,
    without: (name) => name === 'sheetData',
    take: () => {},
    enter: (name, attributes) => {
      const target = name === 'hyperlink' ? targets.get(attributes['r:id'] ?? '') : undefined;
      if (target !== undefined) found.set(attributes['ref'] ?? '', target);
    },
  });
  return found;
}

/** Writes plain and threaded comments. Newer programs also save a thread as a plain comment with an explanation. */
function writeComments(
  { archive }: OfficePackage,
  relationships: readonly Relationship[],
  { people }: CellContext,
  sheets: SheetsWriter,
): void {
  const parts = (kind: string): string[] =>
    relationships
      .filter((each) => each.kind === kind && archive.has(each.target))
      .map(({ target }) => target);
  const threads = parts('threadedComment');
  const writeComment = (cell: string | undefined, author: string, text: string): void => {
    const content = text.replace(threads.length > 0 ? threadCopy : explanation, '').trim();
    if (content === '' || sheets.full) return;
    sheets.beside(
      `Comment on ${cell ?? 'a cell'}: ${author === '' ? '' : `${author}: `}${content}`,
    );
  };
  for (const part of threads) {
    readXml(archive, part, {
      whole: (name) => name === 'threadedComment',
      take: (comment) => {
        const { ref, personId = '' } = comment.attributes;
        writeComment(ref, people.get(personId) ?? '', unescaped(textOf(childOf(comment, 'text'))));
      },
    });
  }
  for (const part of parts('comments')) {
    readXml(archive, part, {
      whole: (name) => name === 'comment',
      take: (comment) =>
        writeComment(comment.attributes['ref'], '', richText(childOf(comment, 'text'))),
    });
  }
}

/** A plain comment that repeats a thread. */
const threadCopy = /^\s*\[Threaded comment\][\s\S]*$/;
const explanation = /^\s*\[Threaded comment\][\s\S]*?\n\s*Comment:\s*/;
