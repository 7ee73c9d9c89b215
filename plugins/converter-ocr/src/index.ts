import { defineConverter } from '@trove/core';

import { dataOf } from './languages.js';
import { OcrConverter } from './ocr-converter.js';

/** Per page. A dense page takes ten seconds. */
const timeoutMs = 120_000;

/** Converts scans and pictures to Markdown by text recognition in the engine's worker threads. */
export default defineConverter({
  keys: [
    'application/pdf;scanned',
    'image/bmp',
    'image/jpeg',
    'image/png',
    'image/tiff',
    'image/webp',
  ],
  configSchema: {
    type: 'object',
    properties: {
      languages: {
        type: 'array',
        items: { type: 'string', pattern: '^[A-Za-z_]{3,40}$' },
        minItems: 1,
        maxItems: 10,
        default: ['eng'],
        description:
          'Languages of the texts, the most frequent first, by their Tesseract names: `eng`, `deu`, `chi_sim`.',
      },
    },
    additionalProperties: false,
  },
  workerModule: import.meta.url,
  timeoutMs,
  create: ({ config, error }) =>
    new OcrConverter(config.languages.map((name) => dataOf(name, error))),
});
