import { defineConverter } from '@trove/core';

import { DocumentConverter } from './document-converter.js';
import { mediaTypes } from './formats.js';

/** Converts documents to Markdown in the engine's worker threads, with one converter and version per type. */
export default mediaTypes.map((mediaType) =>
  defineConverter({
    keys: [mediaType],
    configSchema: { type: 'object', additionalProperties: false },
    workerModule: import.meta.url,
    create: () => new DocumentConverter(mediaType),
  }),
);
