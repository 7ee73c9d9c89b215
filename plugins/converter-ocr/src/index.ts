import { defineConverter } from '@trove/core';

import { dataOf } from './languages.js';
import { OcrConverter } from './ocr-converter.js';

/** For each page: a dense one takes ten seconds. */
const limitMs = 120_000;

/** Scans and pictures → Markdown, recognised locally in the engine's worker threads. */
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
          'Languages of the texts, the most frequent first, by the names that Tesseract has for them: `eng`, `deu`, `chi_sim`.',
      },
    },
    additionalProperties: false,
  },
  workerModule: import.meta.url,
  timeoutMs: limitMs,
  create: ({ config, error }) =>
    new OcrConverter(config.languages.map((name) => dataOf(name, error))),
});
