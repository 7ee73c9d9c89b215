// In a process of its own: converts one document after the other, in a thread with the limits of a server's.
import { readFileSync } from 'node:fs';

import plugins from '@trove/converter-documents';
import { silentLogger } from '@trove/core';
import {
  Artifacts,
  ConversionService,
  DisposalStack,
  KnownSecrets,
  PluginRegistry,
} from '@trove/runtime';

const { signal } = new AbortController();
const opening = {
  registry: new PluginRegistry({ plugins }),
  logger: silentLogger,
  signal,
  disposal: new DisposalStack(silentLogger),
  secrets: new KnownSecrets(),
};
const conversions = new ConversionService(opening, new Artifacts(null, 0, silentLogger), {
  threads: 1,
  maxBytes: 64 * 1024 * 1024,
});

process.on('message', (document) => void answer(document));

async function answer({ file, mediaType }) {
  const bytes = new Uint8Array(readFileSync(file));
  const begun = process.cpuUsage();
  const outcome = await conversions.convert({ bytes, mediaType }, signal).then(
    ({ markdown, parts }) => ({
      markdown: Buffer.from(markdown).toString('utf8'),
      parts: parts.length,
    }),
    (error) => ({ code: String(error.code ?? 'none'), detail: error.message }),
  );
  const { user, system } = process.cpuUsage(begun);
  process.send({
    ...outcome,
    ms: (user + system) / 1000,
    peak: process.resourceUsage().maxRSS * 1024,
  });
}
