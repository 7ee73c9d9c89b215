import { TroveError, type Conversion, type ConversionRequest, type Converter } from '@trove/core';

import { formatOf } from './formats.js';

export class DocumentConverter implements Converter {
  readonly version = '1';

  async convert(request: ConversionRequest): Promise<Conversion> {
    const format = await formatOf(request.mediaType);
    if (format === undefined) {
      throw new TroveError('not_available', `${request.mediaType} is not a document's type.`);
    }
    return format(request);
  }
}
