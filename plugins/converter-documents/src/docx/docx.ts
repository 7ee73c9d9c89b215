import type { Conversion } from '@trove/core';
import { MarkdownWriter } from '@trove/text/markdown';

import { chartIn } from '../ooxml/chart.js';
import { partTexts } from '../ooxml/drawings.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { readXml, readXmlRoot } from '../xml/read.js';
import { DocxBlocks } from './blocks.js';
import { alternativeOf } from './content.js';
import { Lists } from './lists.js';
import { DocxNotes } from './notes.js';
import { DocxStyles } from './styles.js';

/** Layout elements of a paragraph without text. A large table has them in each cell. */
const layout = new Set([
  'tcW',
  'tcBorders',
  'tblPr',
  'tblGrid',
  'sectPr',
  'rFonts',
  'sz',
  'szCs',
  'lang',
  'color',
  'spacing',
  'jc',
  'bookmarkStart',
  'bookmarkEnd',
  'proofErr',
]);

/** Blocks that are read as a whole at any place. */
const blockNames = new Set(['p', 'tbl', 'oMathPara', 'oMath', 'AlternateContent']);

export function convertDocx(document: OfficePackage): Conversion {
  const { archive, main } = document;
  const relationships = document.relationships(main);
  const part = (kind: string) => relationships.find((each) => each.kind === kind)?.target;
  const links = new Map(
    relationships.filter(({ external }) => external).map((each) => [each.id, each.target]),
  );
  const drawings = new Map(relationships.map(({ id, target }) => [id, target]));
  const writer = new MarkdownWriter();
  const notes = new DocxNotes(document, (label, text) => writer.footnote(label, text));
  const styles = new DocxStyles(readXmlRoot(archive, part('styles')));
  const lists = new Lists(readXmlRoot(archive, part('numbering')));
  const blocks = new DocxBlocks(writer, styles, lists, {
    link: (id) => links.get(id),
    drawing: (id) => chartIn(archive, drawings.get(id)) ?? partTexts(archive, drawings.get(id)),
    note: (kind, id) => notes.reference(kind, id),
  });
  const write = (name: string): void => {
    readXml(archive, name, {
      whole: (element) => blockNames.has(element),
      without: (element) => layout.has(element),
      take: (element) =>
        blocks.block(
          element.name === 'AlternateContent' ? (alternativeOf(element) ?? element) : element,
        ),
      enough: () => writer.isFull,
    });
    blocks.end();
  };
  const beside = (kind: string) =>
    relationships.filter((each) => each.kind === kind && archive.has(each.target));
  for (const { target } of beside('header')) write(target);
  writer.part('page', 1);
  write(main);
  for (const { target } of beside('footer')) write(target);
  const { parts, ...conversion } = writer.finish(
    document.title,
    'The document has no text: it is empty, or consists of pictures.',
  );
  // The file contains page starts only if the program saved them.
  return blocks.pages > 1 && parts !== undefined ? { ...conversion, parts } : conversion;
}
