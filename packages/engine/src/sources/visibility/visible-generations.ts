import type { FrequencyQuery, IndexQuery, IndexScope } from '@trove/core/index';
import type { ConnectorRecord } from '@trove/core/store';
import type {
  GenerationFinder,
  QueriedCollection,
  QueriedGeneration,
  QueriedGenerations,
} from '../../generations/selection/generations.js';
import { shareReads } from '../connectors/shared-read.js';
import { outsideFormerRoots } from './former-roots.js';
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
    const collection = new VisibleCollection(generation, this.#visible);
    const restricted = { ...generation, collection };
    this.#known.set(generation, restricted);
    return restricted;
  }
}

/** A collection whose searches and counts cover only visible rows. Keys of rows come from its searches. */
class VisibleCollection implements QueriedCollection {
  readonly #collection: QueriedCollection;
  readonly #moved: () => Promise<readonly ConnectorRecord[]>;
  readonly #visible: VisiblePaths;

  constructor({ collection, reader }: QueriedGeneration, visible: VisiblePaths) {
    this.#collection = collection;
    this.#moved = shareReads(() => reader.sources.listMoved());
    this.#visible = visible;
  }

  async search(query: IndexQuery): ReturnType<QueriedCollection['search']> {
    return this.#collection.search(await this.#restrict(query));
  }

  identify(keys: readonly string[]): ReturnType<QueriedCollection['identify']> {
    return this.#collection.identify(keys);
  }

  fetch(keys: readonly string[]): ReturnType<QueriedCollection['fetch']> {
    return this.#collection.fetch(keys);
  }

  async frequencies(terms: readonly string[], query: FrequencyQuery): Promise<Map<string, number>> {
    return this.#collection.frequencies(terms, await this.#restrict(query));
  }

  async hasField(name: string): Promise<boolean> {
    return this.#collection.hasField(name, await this.#restrict({}));
  }

  async sampleFields(): Promise<string[]> {
    return this.#collection.sampleFields(await this.#restrict({}));
  }

  /** Rows of a moved source keep their former URIs until a worker has moved them. */
  async #restrict<S extends IndexScope>(given: S): Promise<S> {
    const scope = this.#restrictToPaths(given);
    const outside = outsideFormerRoots(await this.#moved(), this.#visible);
    if (outside === null) return scope;
    const filters = scope.filter === undefined ? [outside] : [scope.filter, outside];
    return { ...scope, filter: { op: 'and', filters } };
  }

  /** A visible prefix needs no further condition, which spares the index work. */
  #restrictToPaths<S extends IndexScope>(scope: S): S {
    const { sourcePrefix } = scope;
    if (sourcePrefix === undefined) return { ...scope, within: this.#visible.uris };
    const below = this.#visible.below(sourcePrefix);
    return below.includes(sourcePrefix) ? scope : { ...scope, within: below };
  }
}
