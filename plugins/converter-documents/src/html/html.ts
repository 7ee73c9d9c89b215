import type { Conversion, ConversionRequest } from '@trove/core';
import { Parser } from 'htmlparser2';

import { MarkdownWriter } from '../markdown/writer.js';
import { tooComplex } from '../refusals.js';
import { decodeHtml } from './decode-html.js';
import { PageReader } from './page-reader.js';

/** Characters parsed between two checks whether the writer is full. */
const AT_ONCE = 64 * 1024;

export function convertHtml({ bytes }: Pick<ConversionRequest, 'bytes'>): Conversion {
  const writer = new MarkdownWriter();
  const title = writeHtml(decodeHtml(bytes), writer);
  return writer.finish(title, 'The page has no text.');
}

/** Elements within elements: beyond, each takes longer than the one before. */
const DEEPEST = 20_000;

/** Writes a page or a part of one; its title, '' for none. */
export function writeHtml(html: string, writer: MarkdownWriter): string {
  const reader = new PageReader(writer);
  let depth = 0;
  const isXml = /^\s*<\?xml\s/.test(html.slice(0, 1000));
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > DEEPEST)
          throw tooComplex(`has elements within elements, over ${DEEPEST} deep`);
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
  reader.end();
  return reader.title;
}
