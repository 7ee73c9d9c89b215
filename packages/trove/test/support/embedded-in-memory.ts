import { join } from 'node:path';
import { defineEmbedder, type Embedder } from '@trove/core/model';
import { MemoryEmbedder } from '@trove/testkit';
import { createTrove, type Trove } from '../../src/index.js';

/** A Trove whose home is below a folder, and what embeds its texts: it remembers which they were. */
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
