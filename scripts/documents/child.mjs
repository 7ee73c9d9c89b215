// In a process of its own: converts one document after the other.
import { readFileSync } from 'node:fs';

import plugin from '@trove/converter-documents';

const converter = await plugin.create({ config: {} });
const { signal } = new AbortController();

process.on('message', async ({ file, mediaType }) => {
  const bytes = readFileSync(file);
  const started = performance.now();
  const outcome = await converter.convert({ bytes, mediaType, signal }).then(
    ({ markdown, parts = [] }) => ({ markdown, parts: parts.length }),
    (error) => ({ code: String(error.code ?? 'none'), detail: error.message }),
  );
  const ms = performance.now() - started;
  process.send({ ...outcome, ms, peak: process.resourceUsage().maxRSS * 1024 });
});
