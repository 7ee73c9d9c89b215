import type { Conversion, ConversionRequest } from '@trove/core';
import { decodeHtml, MarkdownWriter, writeHtml } from '@trove/core/markdown';

export function convertHtml({ bytes }: Pick<ConversionRequest, 'bytes'>): Conversion {
  const writer = new MarkdownWriter();
  const title = writeHtml(decodeHtml(bytes), writer);
  return writer.finish(title, 'The page has no text.');
}
