import { Parser } from 'htmlparser2';

import { TroveError } from '@trove/core';
import type { MarkdownWriter } from '../writer.js';
import { MainPart, type IsMain } from './main-part.js';
import { PageReader } from './page-reader.js';

/** Characters parsed between two checks whether the writer is full. */
const AT_ONCE = 64 * 1024;

/** Elements within elements: beyond, each takes longer than the one before. */
const DEEPEST = 20_000;

/** Writes a page or a part of one, or only its main part (`mainOf`); its title, '' for none. */
export function writeHtml(
  html: string,
  writer: MarkdownWriter,
  isMain: IsMain | null = null,
): string {
  const page = new PageReader(writer);
  const reader = isMain === null ? page : new MainPart(page, isMain);
  let depth = 0;
  const isXml = /^\s*<\?xml\s/.test(html.slice(0, 1000));
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > DEEPEST)
          throw new TroveError(
            'document_too_complex',
            `The document has elements within elements, over ${DEEPEST} deep.`,
          );
        reader.open(name, attributes);
      },
      ontext: (text) => reader.text(text),
      onclosetag: (name) => {
        depth--;
        reader.close(name);
      },
    },
    { recognizeSelfClosing: isXml, recognizeCDATA: isXml },
  );
  for (let at = 0; at < html.length && !writer.full; at += AT_ONCE) {
    parser.write(html.slice(at, at + AT_ONCE));
  }
  parser.end();
  page.end();
  return page.title;
}
