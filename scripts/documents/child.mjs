// In a process of its own: converts one document after the other.
import { readFileSync } from 'node:fs';

import plugins from '@trove/converter-documents';

const converters = new Map(
  plugins.flatMap((plugin) =>
    plugin.mediaTypes.map((type) => [type, plugin.create({ config: {} })]),
  ),
);
const { signal } = new AbortController();

process.on('message', (document) => void answer(document));

async function answer({ file, mediaType }) {
  const bytes = readFileSync(file);
  const started = performance.now();
  const outcome = await converters
    .get(mediaType)
    .convert({ bytes, mediaType, signal })
    .then(
      ({ markdown, parts = [] }) => ({ markdown, parts: parts.length }),
      (error) => ({ code: String(error.code ?? 'none'), detail: error.message }),
    );
  const ms = performance.now() - started;
  process.send({ ...outcome, ms, peak: process.resourceUsage().maxRSS * 1024 });
}
