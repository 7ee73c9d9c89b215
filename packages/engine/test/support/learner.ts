import { defineEmbedder, type EmbedderPlugin } from '@trove/core/model';

/**
 * An embedder that computes in threads. Its training counts the texts with certain words. Its vectors show whether it was
 * trained, and with which counts.
 */
const module = `data:text/javascript,${encodeURIComponent(`
  const unit = (vector) => vector.map((value) => value / Math.hypot(...vector));
  export default {
    kind: 'embedder', apiVersion: 1, keys: ['learner'], workerModule: 'none',
    configSchema: { type: 'object' },
    create: () => ({
      model: 'learner', dimension: 4, nature: 'lexical',
      async embed(texts, { trainedState }) {
        if (trainedState === undefined) return texts.map(() => Float32Array.of(1, 0, 0, 0));
        const [pears, apples] = new Uint16Array(trainedState.state.slice().buffer);
        return texts.map(() => unit(Float32Array.of(0, 1 + pears, 1 + apples, 1)));
      },
      async train(texts) {
        if (texts.some((text) => text.includes('poison'))) throw new Error('choked');
        const say = (word) => texts.filter((text) => text.includes(word)).length;
        return new Uint8Array(Uint16Array.of(say('pears'), say('apples')).buffer);
      },
    }),
  };
`)}`;

/** Loads the embedder. */
export async function learner(): Promise<EmbedderPlugin> {
  const { default: plugin } = (await import(module)) as { default: EmbedderPlugin };
  return defineEmbedder({ ...plugin, workerModule: module });
}
