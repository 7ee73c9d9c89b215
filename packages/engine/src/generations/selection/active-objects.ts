import { inject, injectable, createToken } from '@trove/core/di';
import type {
  GenerationReader,
  ObjectRecord,
  ObjectStats,
  ObjectTypeFilter,
  SummaryRecord,
} from '@trove/core/store';
import { GenerationsToken, type Generations } from './generations.js';
import { TypeLookup } from './type-lookup.js';

type ObjectListOptions = Parameters<GenerationReader['objects']['list']>[1];

/** The token of `ActiveObjects` in an engine's container. */
export const ActiveObjectsToken = createToken<ActiveObjects>('engine.active_objects');

/**
 * Reads objects and summaries from the active generation of their source. Nothing disappears while another embedder takes
 * over.
 */
@injectable()
export class ActiveObjects {
  readonly #generations: Generations;
  readonly #typeLookup = new TypeLookup();

  constructor(@inject(GenerationsToken) generations: Generations) {
    this.#generations = generations;
  }

  async findObjects(connectorId: string, paths: readonly string[]): Promise<ObjectRecord[]> {
    return (await this.#reader(connectorId)).objects.findByPath(connectorId, paths);
  }

  async listObjects(connectorId: string, options: ObjectListOptions): Promise<ObjectRecord[]> {
    return (await this.#reader(connectorId)).objects.list(connectorId, options);
  }

  /** Whether a source has an object of the types. Calls within a turn of the event loop share a query. */
  async hasTypes(connectorId: string, types: ObjectTypeFilter): Promise<boolean> {
    return this.#typeLookup.has(await this.#reader(connectorId), connectorId, types);
  }

  async objectStats(connectorId: string, path: string): Promise<ObjectStats> {
    return (await this.#reader(connectorId)).objects.stats(connectorId, path);
  }

  async findSummaries(connectorId: string, paths: readonly string[]): Promise<SummaryRecord[]> {
    return (await this.#reader(connectorId)).summaries.findByPath(connectorId, paths);
  }

  async #reader(connectorId: string): Promise<GenerationReader> {
    return (await this.#generations.active()).of(connectorId).reader;
  }
}
