import type { Conversion, ConversionRequest } from '@trove/core';
import { MarkdownWriter } from '@trove/text/markdown';

import { damaged, encrypted } from '../errors.js';
import { descendantsOf, textOf, type XmlElement } from '../xml/element.js';
import { readXml, readXmlRoot } from '../xml/read.js';
import { Archive } from '../zip/archive.js';
import { OdfBlocks } from './blocks.js';
import { objectIn } from './objects.js';
import { writeSlide } from './slides.js';
import { Spreadsheet } from './spreadsheet.js';
import { isEncrypted, OdfStyles } from './styles.js';

const content = 'content.xml';
/** The elements that are built as a whole, by kind of document. */
const wholes: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(['p', 'h', 'list', 'table', 'frame', 'custom-shape', 'soft-page-break']),
  spreadsheet: new Set(['table-row', 'shapes']),
  presentation: new Set(['page']),
};
/** Elements that are not for readers: former versions, forms and scripts. */
const withoutText = new Set([
  'tracked-changes',
  'forms',
  'scripts',
  'font-face-decls',
  'automatic-styles',
]);

/** Converts OpenDocument texts, spreadsheets and presentations. */
export function convertOdf({ bytes }: ConversionRequest): Conversion {
  const archive = new Archive(bytes);
  if (!archive.has(content)) throw damaged('is a ZIP archive, but not of OpenDocument');
  if (isEncrypted(archive)) throw encrypted();
  const writer = new MarkdownWriter();
  const read = (object: XmlElement) => objectIn(archive, object);
  const blocks = new OdfBlocks(writer, new OdfStyles(archive), read);
  const spreadsheet = new Spreadsheet(writer, read);
  let kind = '';
  let slides = 0;
  readXml(archive, content, {
    whole: (name) => kind !== '' && wholes[kind]?.has(name) === true,
    without: (name) => withoutText.has(name),
    enter: (name, attributes) => {
      if (kind === '' && Object.hasOwn(wholes, name)) {
        kind = name;
        if (kind === 'text') writer.part('page', 1);
      } else if (name === 'table') {
        spreadsheet.beginSheet(attributes['table:name'] ?? '');
      }
    },
    leave: (name) => {
      if (name === 'table') spreadsheet.endSheet();
    },
    take: (element) => {
      if (writer.isFull) return;
      if (kind === 'spreadsheet') {
        if (element.name === 'shapes') spreadsheet.shapes(element);
        else spreadsheet.row(element);
      } else if (kind === 'presentation') {
        writer.part('slide', ++slides);
        writeSlide(element, writer, blocks);
      } else {
        blocks.block(element);
      }
    },
    enough: () => writer.isFull || spreadsheet.full,
  });
  spreadsheet.endSheet();
  const { parts, ...conversion } = writer.finish(titleOf(archive), 'The document has no text.');
  // The file contains page starts only if the program saved them.
  const hasParts = parts !== undefined && (kind !== 'text' || blocks.pages > 1);
  return hasParts ? { ...conversion, parts } : conversion;
}

function titleOf(archive: Archive): string | undefined {
  const root = readXmlRoot(archive, 'meta.xml');
  return root === undefined ? undefined : textOf(descendantsOf(root, 'title')[0]);
}
