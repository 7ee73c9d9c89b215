import type { Conversion } from '@trove/core';
import { MarkdownWriter } from '@trove/text/markdown';

import { SheetsWriter } from '../markdown/sheets-writer.js';
import type { OfficePackage } from '../ooxml/office-package.js';
import { tooComplex } from '../errors.js';
import { readXml, readXmlRoot } from '../xml/read.js';
import { richText } from './cells.js';
import { kindsOfStyles } from './number-formats.js';
import { readWorksheet } from './worksheet.js';

/** The maximum number of characters of all shared texts. */
const maxSharedBytes = 64 * 1024 * 1024;

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly id: string }[];
  readonly since1904: boolean;
}

export function convertXlsx(document: OfficePackage): Conversion {
  const { archive, main } = document;
  const relationships = document.relationships(main);
  const part = (kind: string) => relationships.find((each) => each.kind === kind)?.target;
  const { sheets, since1904 } = readWorkbook(document);
  const context = {
    strings: sharedStrings(document, part('sharedStrings')),
    kinds: kindsOfStyles(readXmlRoot(archive, part('styles'))),
    since1904,
    people: peopleIn(document, part('person')),
  };
  const writer = new MarkdownWriter();
  const worksheets = new Map(
    relationships.filter(({ kind }) => kind === 'worksheet').map(({ id, target }) => [id, target]),
  );
  const written = new SheetsWriter(writer);
  for (const [i, { name, id }] of sheets.entries()) {
    if (written.full) break;
    const target = worksheets.get(id);
    if (target === undefined || !archive.has(target)) continue;
    written.begin(i + 1, name);
    readWorksheet(document, target, written, context);
    written.end();
  }
  return writer.finish(document.title, 'The workbook has no cell with a value.');
}

function readWorkbook({ archive, main }: OfficePackage): Workbook {
  const sheets: { name: string; id: string }[] = [];
  let since1904 = false;
  readXml(archive, main, {
    whole: () => false,
    take: () => {},
    enter: (element, { date1904, name = '', 'r:id': id = '' }) => {
      if (element === 'workbookPr') since1904 = /^(?:1|true)$/.test(date1904 ?? '');
      if (element === 'sheet') sheets.push({ name, id });
    },
  });
  return { sheets, since1904 };
}

function peopleIn({ archive }: OfficePackage, part: string | undefined): Map<string, string> {
  const people = new Map<string, string>();
  if (part === undefined || !archive.has(part)) return people;
  readXml(archive, part, {
    whole: () => false,
    take: () => {},
    enter: (element, { id, displayName }) => {
      if (element === 'person' && id !== undefined && displayName !== undefined)
        people.set(id, displayName);
    },
  });
  return people;
}

function sharedStrings({ archive }: OfficePackage, part: string | undefined): string[] {
  const strings: string[] = [];
  if (part === undefined || !archive.has(part)) return strings;
  let length = 0;
  readXml(archive, part, {
    whole: (name) => name === 'si',
    take: (item) => {
      // Many cells may refer to one text that begins with a million spaces.
      const text = richText(item).trim();
      length += text.length + 16;
      if (length > maxSharedBytes) throw tooComplex('has too many texts in its cells');
      strings.push(text);
    },
  });
  return strings;
}
