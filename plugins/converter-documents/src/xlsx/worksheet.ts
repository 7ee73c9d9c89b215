import { link, MAX_COLUMNS } from '@trove/core/markdown';
import type { SheetsWriter } from '../markdown/sheets-writer.js';
import { partTexts } from '../ooxml/drawings.js';
import type { OfficePackage, Relationship } from '../ooxml/office-package.js';
import { childOf, childrenOf, type XmlElement } from '../xml/element.js';
import { readXml } from '../xml/read.js';
import { cellText, columnOf, richText, type CellContext } from './cells.js';

/** What stands behind the cells and is read before them, or is of no use. */
const notCells = new Set(['hyperlinks', 'conditionalFormatting', 'dataValidations', 'extLst']);

/** Writes the cells of one worksheet, then what is written beside them. */
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
      sheets.row(rowTexts(row, context, links));
    },
    enough: () => sheets.sheetFull,
  });
  for (const { kind, target } of relationships) {
    if (kind === 'comments') writeComments(document, target, sheets);
    if (kind === 'drawing') for (const text of partTexts(archive, target)) sheets.beside(text);
  }
}

function rowTexts(
  row: XmlElement,
  context: CellContext,
  links: ReadonlyMap<string, string>,
): string[] {
  const texts: string[] = [];
  for (const cell of childrenOf(row, 'c')) {
    const reference = cell.attributes['r'];
    const column = columnOf(reference) ?? texts.length;
    if (column >= MAX_COLUMNS) continue;
    while (texts.length < column) texts.push('');
    const text = cellText(cell, context);
    const url = reference === undefined ? undefined : links.get(reference);
    texts[column] = url === undefined ? text : link(text, url);
  }
  return texts;
}

/** Addresses that cells lead to, by the cell. */
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

function writeComments({ archive }: OfficePackage, part: string, sheets: SheetsWriter): void {
  if (!archive.has(part)) return;
  readXml(archive, part, {
    whole: (name) => name === 'comment',
    take: (comment) => {
      const text = richText(childOf(comment, 'text')).trim();
      const cell = comment.attributes['ref'] ?? 'a cell';
      if (text !== '' && !sheets.full) sheets.beside(`Comment on ${cell}: ${text}`);
    },
  });
}
