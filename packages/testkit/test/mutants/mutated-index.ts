import type { Collection, VectorIndex } from '@trove/core/index';

import { MemoryVectorIndex, MemoryVectorStorage } from '../../src/index.js';

/** The differences of a mutant's collections from those of the memory index. */
type Mutation = (good: Collection) => Partial<Collection>;

export type Open = () => Promise<VectorIndex>;

/** Returns an opener of a new memory index with mutated collections. */
export function mutated(mutate: Mutation): () => Open {
  return () => {
    const open = goodIndex();
    return async () => {
      const good = await open();
      return delegate(good, {
        collection: async (spec) => {
          const collection = await good.collection(spec);
          return { ...bound(collection), ...mutate(collection) };
        },
      });
    };
  };
}

/** Returns an opener of a new, mutated memory index. */
export function mutatedIndex(mutate: (good: VectorIndex) => Partial<VectorIndex>): () => Open {
  return () => {
    const open = goodIndex();
    return async () => {
      const good = await open();
      return delegate(good, mutate(good));
    };
  };
}

export function goodIndex(): Open {
  const storage = new MemoryVectorStorage();
  return () => Promise.resolve(new MemoryVectorIndex(storage));
}

function delegate(good: VectorIndex, changes: Partial<VectorIndex>): VectorIndex {
  return {
    collection: (spec) => good.collection(spec),
    collections: () => good.collections(),
    drop: (name) => good.drop(name),
    close: () => good.close(),
    ...changes,
  };
}

export function bound(good: Collection): Collection {
  return {
    name: good.name,
    replace: (groups, options) => good.replace(groups, options),
    search: (query) => good.search(query),
    identify: (keys) => good.identify(keys),
    fetch: (keys) => good.fetch(keys),
    rows: (group) => good.rows(group),
    removeScope: (scope) => good.removeScope(scope),
    otherScopes: (known) => good.otherScopes(known),
    count: (scope) => good.count(scope),
    frequencies: (terms, query) => good.frequencies(terms, query),
    hasField: (name, scope) => good.hasField(name, scope),
    sampleFields: (scope) => good.sampleFields(scope),
    groups: (scope, take) => good.groups(scope, take),
    optimize: () => good.optimize(),
  };
}
