import type { Conversion, ConversionRequest, Converter } from '@trove/core';

import { formatOf, type FormatEntry } from './formats.js';
import { empty } from './errors.js';

/** Converts the documents of one media type. */
export class DocumentConverter implements Converter {
  readonly version: string;
  readonly #format: FormatEntry;

  constructor(mediaType: string) {
    this.#format = formatOf(mediaType);
    this.version = `documents ${this.#format.version}`;
  }

  async convert(request: ConversionRequest): Promise<Conversion> {
    if (request.bytes.length === 0) throw empty('The file is empty.');
    const format = await this.#format.load();
    return format(request);
  }
}
