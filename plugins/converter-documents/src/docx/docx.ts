import type { Conversion } from '@trove/core';
import { MarkdownWriter } from '@trove/core/markdown';

import { partTexts } from '../ooxml/drawings.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { readXml, readXmlRoot } from '../xml/read.js';
import { Blocks } from './blocks.js';
import { Lists } from './lists.js';
import { Notes } from './notes.js';
import { Styles } from './styles.js';

/** What lays a paragraph out, and no text is in. A table of a hundred thousand cells has it in each. */
const layout = new Set([
  'tcW',
  'tcBorders',
  'tblPr',
  'tblGrid',
  'trPr',
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

export function convertDocx(document: OfficePackage): Conversion {
  const { archive, main } = document;
  const relationships = document.relationships(main);
  const part = (kind: string) => relationships.find((each) => each.kind === kind)?.target;
  const links = new Map(
    relationships.filter(({ external }) => external).map((each) => [each.id, each.target]),
  );
  const drawings = new Map(relationships.map(({ id, target }) => [id, target]));
  const writer = new MarkdownWriter();
  const notes = new Notes(document, (label, text) => writer.note(label, text));
  const styles = new Styles(readXmlRoot(archive, part('styles')));
  const lists = new Lists(readXmlRoot(archive, part('numbering')));
  const blocks = new Blocks(writer, styles, lists, {
    link: (id) => links.get(id),
    drawing: (id) => partTexts(archive, drawings.get(id)),
    note: (kind, id) => notes.reference(kind, id),
  });
  const write = (name: string): void => {
    readXml(archive, name, {
      whole: (element) => element === 'p' || element === 'tbl',
      without: (element) => layout.has(element),
      take: (element) => blocks.block(element),
      enough: () => writer.full,
    });
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
  // Where pages begin is known only if the program that saved it wrote that down.
  return blocks.pages > 1 && parts !== undefined ? { ...conversion, parts } : conversion;
}
