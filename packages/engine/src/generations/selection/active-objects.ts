import { inject, injectable, token } from '@trove/core/di';
import type { GenerationReader, ObjectRecord, SummaryRecord } from '@trove/core/store';
import { GenerationsToken, type Generations } from './generations.js';

type AfterOptions = Parameters<GenerationReader['objects']['list']>[1];

/** The token of `ActiveObjects` in an engine's container. */
export const ActiveObjectsToken = token<ActiveObjects>('engine.active_objects');

/** What is known of objects where their source is answered from: nothing vanishes while another embedder takes over. */
@injectable()
export class ActiveObjects {
  readonly #generations: Generations;

  constructor(@inject(GenerationsToken) generations: Generations) {
    this.#generations = generations;
  }

  async objectsByPath(connectorId: string, paths: readonly string[]): Promise<ObjectRecord[]> {
    return (await this.#reader(connectorId)).objects.findByPath(connectorId, paths);
  }

  async objectsAfter(connectorId: string, options: AfterOptions): Promise<ObjectRecord[]> {
    return (await this.#reader(connectorId)).objects.list(connectorId, options);
  }

  async summariesByPath(connectorId: string, paths: readonly string[]): Promise<SummaryRecord[]> {
    return (await this.#reader(connectorId)).summaries.findByPath(connectorId, paths);
  }

  async #reader(connectorId: string): Promise<GenerationReader> {
    return (await this.#generations.answering()).of(connectorId).reader;
  }
}
