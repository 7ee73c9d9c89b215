import type { FrequencyQuery, IndexQuery, IndexScope } from '@trove/core/index';
import type {
  GenerationFinder,
  QueriedCollection,
  QueriedGeneration,
  QueriedGenerations,
} from '../../generations/selection/generations.js';
import type { VisiblePaths } from './visible-paths.js';

/** Finds generations whose collections contain only visible rows. */
export class VisibleGenerations implements GenerationFinder {
  readonly own: QueriedGeneration;
  readonly #generations: GenerationFinder;
  readonly #visible: VisiblePaths;
  /** A generation is compared by identity. */
  readonly #known = new WeakMap<QueriedGeneration, QueriedGeneration>();

  constructor(generations: GenerationFinder, visible: VisiblePaths) {
    this.#generations = generations;
    this.#visible = visible;
    this.own = this.#restrict(generations.own);
  }

  async active(): Promise<QueriedGenerations> {
    const { generations, of } = await this.#generations.active();
    return {
      generations: generations.map((each) => this.#restrict(each)),
      of: (connectorId) => this.#restrict(of(connectorId)),
    };
  }

  #restrict(generation: QueriedGeneration): QueriedGeneration {
    const known = this.#known.get(generation);
    if (known !== undefined) return known;
    const collection = new VisibleCollection(generation.collection, this.#visible);
    const restricted = { ...generation, collection };
    this.#known.set(generation, restricted);
    return restricted;
  }
}

/** A collection whose searches and counts cover only visible rows. Keys of rows come from its searches. */
class VisibleCollection implements QueriedCollection {
  readonly #collection: QueriedCollection;
  readonly #visible: VisiblePaths;

  constructor(collection: QueriedCollection, visible: VisiblePaths) {
    this.#collection = collection;
    this.#visible = visible;
  }

  search(query: IndexQuery): ReturnType<QueriedCollection['search']> {
    return this.#collection.search(this.#restrict(query));
  }

  identify(keys: readonly string[]): ReturnType<QueriedCollection['identify']> {
    return this.#collection.identify(keys);
  }

  fetch(keys: readonly string[]): ReturnType<QueriedCollection['fetch']> {
    return this.#collection.fetch(keys);
  }

  frequencies(terms: readonly string[], query: FrequencyQuery): Promise<Map<string, number>> {
    return this.#collection.frequencies(terms, this.#restrict(query));
  }

  hasField(name: string): Promise<boolean> {
    return this.#collection.hasField(name, this.#restrict({}));
  }

  sampleFields(): Promise<string[]> {
    return this.#collection.sampleFields(this.#restrict({}));
  }

  /** A visible prefix needs no further condition, which spares the index work. */
  #restrict<S extends IndexScope>(scope: S): S {
    const { sourcePrefix } = scope;
    if (sourcePrefix === undefined) return { ...scope, within: this.#visible.uris };
    const below = this.#visible.below(sourcePrefix);
    return below.includes(sourcePrefix) ? scope : { ...scope, within: below };
  }
}
