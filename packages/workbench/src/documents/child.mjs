// Converts one document after the other in a separate process, with the limits of a server.
import { readFileSync } from 'node:fs';

import plugins from '@trove/converter-documents';
import { silentLogger } from '@trove/core';
import {
  LimitedArtifactCache,
  ConversionService,
  DisposalStack,
  KnownSecrets,
  PluginRegistry,
} from '@trove/runtime';
import { openWorkers } from '@trove/runtime/workers';

import { spentMs, peakBytes } from './usage.mjs';

const { signal } = new AbortController();
const opening = {
  registry: new PluginRegistry({ plugins }),
  logger: silentLogger,
  signal,
  disposal: new DisposalStack(silentLogger),
  secrets: new KnownSecrets(),
  workers: openWorkers(),
};
const conversions = new ConversionService(
  opening,
  new LimitedArtifactCache(null, 0, silentLogger),
  {
    processes: 1,
    maxBytes: 64 * 1024 * 1024,
  },
);

process.on('message', (document) => void answer(document));

async function answer({ file, mediaType }) {
  const bytes = new Uint8Array(readFileSync(file));
  const begun = spentMs();
  const outcome = await conversions.convert({ bytes, mediaType }, signal).then(
    ({ markdown, parts }) => ({
      markdown: Buffer.from(markdown).toString('utf8'),
      parts: parts.length,
    }),
    (error) => ({ code: String(error.code ?? 'none'), detail: error.message }),
  );
  process.send({ ...outcome, ms: spentMs() - begun, peak: peakBytes() });
}
