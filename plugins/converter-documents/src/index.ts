import { defineConverter } from '@trove/core';

import { DocumentConverter } from './document-converter.js';
import { mediaTypes } from './formats.js';

/** Documents → Markdown, computed locally in the engine's worker threads; one converter for each type, with its version. */
export default mediaTypes.map((mediaType) =>
  defineConverter({
    keys: [mediaType],
    configSchema: { type: 'object', additionalProperties: false },
    workerModule: import.meta.url,
    create: () => new DocumentConverter(mediaType),
  }),
);
