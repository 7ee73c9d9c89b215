import { defineEmbedder, type Embedder } from '@trove/core/model';
import { LexicalEmbedder } from './lexical-embedder.js';

const configSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    dimension: {
      type: 'integer',
      minimum: 64,
      maximum: 4096,
      default: 512,
      description:
        'Length of the vectors. Longer vectors distinguish texts better and need more space.',
    },
  },
} as const;

/**
 * The default embedder. It hashes words and character n-grams, and learns latent meanings from a sample of the indexed
 * texts. It runs locally and downloads nothing.
 */
export default defineEmbedder({
  keys: ['lexical'],
  configSchema,
  workerModule: import.meta.url,
  create({ config }): Embedder {
    return new LexicalEmbedder(config.dimension);
  },
});
