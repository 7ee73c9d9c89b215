import { join } from 'node:path';
import { defineEmbedder, type Embedder } from '@trove/core/model';
import { MemoryEmbedder } from '@trove/testkit';
import { createTrove, type Trove } from '../../src/index.js';

/** Creates a Trove with a home in a folder, and an embedder that records its texts. */
export async function embeddedInMemory(
  root: string,
  nature: Embedder['nature'] = 'lexical',
): Promise<{ trove: Trove; embedder: MemoryEmbedder }> {
  const embedder = new MemoryEmbedder();
  const plugin = defineEmbedder({
    keys: ['memory'],
    configSchema: { type: 'object', properties: {} },
    create: () => ({
      model: embedder.model,
      dimension: embedder.dimension,
      nature,
      embed: (...call) => embedder.embed(...call),
    }),
  });
  const trove = await createTrove({
    home: join(root, 'home'),
    plugins: [plugin],
    settings: { embedding: { provider: 'memory' } },
  });
  return { trove, embedder };
}
