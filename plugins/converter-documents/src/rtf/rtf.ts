import type { Conversion, ConversionRequest } from '@trove/core';
import { MarkdownWriter } from '@trove/text/markdown';

import { damaged } from '../errors.js';
import { RtfReader } from './reader.js';
import { readRtf } from './tokens.js';

export function convertRtf({ bytes }: Pick<ConversionRequest, 'bytes'>): Conversion {
  const start = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  if (!/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(start)) {
    throw damaged('does not start like an RTF file');
  }
  const writer = new MarkdownWriter();
  const reader = new RtfReader(writer);
  readRtf(bytes, reader);
  reader.end();
  return writer.finish(reader.title, 'The document has no text.');
}
