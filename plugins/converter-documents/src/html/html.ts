import type { Conversion, ConversionRequest } from '@trove/core';
import { decodeHtml, findMainContent, MarkdownWriter, writeHtml } from '@trove/text/markdown';

export function convertHtml({ bytes }: Pick<ConversionRequest, 'bytes'>): Conversion {
  const html = decodeHtml(bytes);
  const isMain = findMainContent(html);
  if (isMain !== null) {
    const writer = new MarkdownWriter();
    const title = writeHtml(html, writer, isMain);
    if (writer.hasText) return writer.finish(title, '');
  }
  const writer = new MarkdownWriter();
  const title = writeHtml(html, writer);
  return writer.finish(title, 'The page has no text.');
}
