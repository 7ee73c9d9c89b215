import { Parser } from 'htmlparser2';

import { TroveError } from '@trove/core';
import type { MarkdownWriter } from '../writer.js';
import { MainContentFilter, type MainElementTest } from './main-content.js';
import { HtmlPageReader } from './page-reader.js';

/** Characters to parse between checks of the writer's limit. */
const charsPerWrite = 64 * 1024;

/** Maximum nesting of elements. Deeper ones take increasingly long. */
const maxDepth = 20_000;

/** Writes a page or part of a page, or only its main content (`findMainContent`). Returns the title, '' for none. */
export function writeHtml(
  html: string,
  writer: MarkdownWriter,
  isMain: MainElementTest | null = null,
): string {
  const page = new HtmlPageReader(writer);
  const reader = isMain === null ? page : new MainContentFilter(page, isMain);
  let depth = 0;
  const isXml = /^\s*<\?xml\s/.test(html.slice(0, 1000));
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > maxDepth)
          throw new TroveError(
            'document_too_complex',
            `The elements of the document are nested more than ${maxDepth} deep.`,
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
  for (let at = 0; at < html.length && !writer.isFull; at += charsPerWrite) {
    parser.write(html.slice(at, at + charsPerWrite));
  }
  parser.end();
  page.end();
  return page.title;
}
