import type { Conversion, ConversionRequest, Converter } from '@trove/core';

import { formatOf, type Entry } from './formats.js';
import { empty } from './refusals.js';

/** Converts the documents of one media type. */
export class DocumentConverter implements Converter {
  readonly version: string;
  readonly #format: Entry;

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
