import { defineConverter } from '@trove/core';

import { DocumentConverter } from './document-converter.js';
import { mediaTypes } from './formats.js';

/** Documents → Markdown, computed locally in the engine's worker threads. */
export default defineConverter({
  mediaTypes,
  configSchema: { type: 'object', additionalProperties: false },
  workerModule: import.meta.url,
  create: () => new DocumentConverter(),
});
