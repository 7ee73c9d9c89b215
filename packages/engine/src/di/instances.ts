import { type Plugin } from '@trove/core';
import { defineVectorIndex } from '@trove/core/index';
import { defineEmbedder, defineLanguageModel, defineReranker } from '@trove/core/model';
import { defineMetadataStore, defineTransformationCache } from '@trove/core/store';
import type { EngineOptions } from '../options.js';
import type { Instances } from './override.js';

/** The key under which instances of the application act as plugins. */
const key = 'override';
const configSchema = { type: 'object', properties: {}, additionalProperties: false } as const;
const keys = [key];

/**
 * Returns options that open the given instances as plugins, so the guard checks and limits their calls, too. The engine
 * does not close them, because the application made them.
 */
export function withInstances(options: EngineOptions, instances: Instances): EngineOptions {
  const { store, cache, index, embedder, languageModel, reranker } = instances;
  const { embedding, transformationCache, llm, rerank } = options;
  const plugins: Plugin[] = [];
  let opened = options;
  if (store !== undefined) {
    plugins.push(defineMetadataStore({ keys, configSchema, create: () => withoutClose(store) }));
    opened = { ...opened, metadata: { backend: key } };
  }
  if (cache === null) opened = { ...opened, transformationCache: null };
  else if (cache !== undefined) {
    plugins.push(
      defineTransformationCache({ keys, configSchema, create: () => withoutClose(cache) }),
    );
    const maxBytes = transformationCache?.maxBytes;
    const limit = maxBytes === undefined ? {} : { maxBytes };
    opened = { ...opened, transformationCache: { backend: key, ...limit } };
  }
  if (index !== undefined) {
    plugins.push(defineVectorIndex({ keys, configSchema, create: () => withoutClose(index) }));
    opened = { ...opened, index: { uri: `${key}://index` } };
  }
  if (embedder !== undefined) {
    plugins.push(defineEmbedder({ keys, configSchema, create: () => withoutClose(embedder) }));
    opened = { ...opened, embedding: { ...embedding, provider: key, config: {} } };
  }
  if (languageModel !== undefined) {
    const create = () => withoutClose(languageModel);
    plugins.push(defineLanguageModel({ keys, configSchema, create }));
    opened = { ...opened, llm: { ...llm, provider: key, config: {} } };
  }
  if (reranker === null) opened = { ...opened, rerank: null };
  else if (reranker !== undefined) {
    plugins.push(defineReranker({ keys, configSchema, create: () => withoutClose(reranker) }));
    opened = { ...opened, rerank: { ...rerank, provider: key, config: {} } };
  }
  if (plugins.length === 0) return opened;
  return { ...opened, plugins: [...plugins, ...(opened.plugins ?? [])] };
}

/** Returns the instance with a `close` that does nothing. */
function withoutClose<T extends object>(instance: T): T {
  return new Proxy(instance, {
    get(target, name) {
      if (name === 'close') return async () => undefined;
      const member: unknown = Reflect.get(target, name, target);
      // Methods with private fields need the instance itself.
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
