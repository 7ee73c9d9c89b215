import { inject, injectable, token } from '@trove/core/di';
import type { EditionReader, ObjectRecord, SummaryRecord } from '@trove/core/store';
import { EditionsToken, type Editions } from './generations.js';

type AfterOptions = Parameters<EditionReader['objects']['list']>[1];

/** The token of `ActiveObjects` in an engine's container. */
export const ActiveObjectsToken = token<ActiveObjects>('engine.active_objects');

/** What is known of objects where their source is answered from: nothing vanishes while another embedder takes over. */
@injectable()
export class ActiveObjects {
  readonly #editions: Editions;

  constructor(@inject(EditionsToken) editions: Editions) {
    this.#editions = editions;
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

  async #reader(connectorId: string): Promise<EditionReader> {
    return (await this.#editions.answering()).of(connectorId).reader;
  }
}
