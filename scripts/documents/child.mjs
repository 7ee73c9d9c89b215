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
  const begun = process.cpuUsage();
  const outcome = await converters
    .get(mediaType)
    .convert({ bytes, mediaType, signal })
    .then(
      ({ markdown, parts = [] }) => ({ markdown, parts: parts.length }),
      (error) => ({ code: String(error.code ?? 'none'), detail: error.message }),
    );
  const { user, system } = process.cpuUsage(begun);
  process.send({
    ...outcome,
    ms: (user + system) / 1000,
    peak: process.resourceUsage().maxRSS * 1024,
  });
}
