import { relativePath } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import type { Connectors } from '../connectors/connectors.js';
import { notRegisteredError } from '../connectors/owner.js';
import {
  uriOfPart,
  type Location,
  type SourceFinder,
  type SourcePart,
} from '../connectors/source-finder.js';
import type { VisiblePaths } from './visible-paths.js';

/** Finds sources as if all others, and the hidden parts of these, did not exist. */
export class VisibleSources implements SourceFinder {
  readonly #connectors: Connectors;
  readonly #visible: VisiblePaths;

  constructor(connectors: Connectors, visible: VisiblePaths) {
    this.#connectors = connectors;
    this.#visible = visible;
  }

  sees(uri: string): boolean {
    return this.#visible.contains(uri);
  }

  canonicalUri(text: string, field: 'path' | 'target' = 'path'): Promise<string> {
    return this.#connectors.canonicalUri(text, field);
  }

  open(record: ConnectorRecord): ReturnType<Connectors['open']> {
    return this.#connectors.open(record);
  }

  redactConfig(record: ConnectorRecord): ReturnType<Connectors['redactConfig']> {
    return this.#connectors.redactConfig(record);
  }

  findUri(text: string, field: 'path' | 'target' = 'path'): Promise<string> {
    return this.#connectors.findUri(text, field, this.#visible);
  }

  async locate(text: string, field: 'path' | 'target' = 'path'): Promise<Location> {
    const uri = await this.findUri(text, field);
    const location = await this.locateUri(uri);
    if (location === null) throw notRegisteredError(uri);
    return location;
  }

  async locateUri(uri: string): Promise<Location | null> {
    return (await this.#isVisible(uri)) ? this.#connectors.locateUri(uri) : null;
  }

  async findOwner(uri: string): Promise<ConnectorRecord | null> {
    return (await this.#isVisible(uri)) ? this.#connectors.findOwner(uri) : null;
  }

  async findContaining(uri: string): Promise<readonly ConnectorRecord[]> {
    return this.sees(uri) ? this.#connectors.findContaining(uri) : [];
  }

  async listParts(): Promise<SourcePart[]> {
    const records = await this.#connectors.listSources();
    const parts = records.flatMap((record) =>
      this.#visible.partsOf(record.rootUri).map((path) => ({ record, path })),
    );
    const isVisible = await Promise.all(
      parts.map(async (part) => part.path === '' || (await this.#isVisible(uriOfPart(part)))),
    );
    return parts.filter((_, at) => isVisible[at]);
  }

  async findIndexedUri(uri: string): Promise<string | null> {
    if (await this.#isVisible(uri)) return this.#connectors.findIndexedUri(uri);
    const parts = await this.listParts();
    return parts.some((part) => relativePath(uri, uriOfPart(part)) !== null) ? uri : null;
  }

  /** A link in a visible folder, or in place of it, may lead to a hidden part of the source. */
  async #isVisible(uri: string): Promise<boolean> {
    if (!this.sees(uri)) return false;
    const owner = await this.#connectors.findOwner(uri);
    if (owner === null || this.sees(owner.rootUri)) return true;
    const indexedUri = await this.#connectors.findIndexedUri(uri);
    return indexedUri !== null && this.sees(indexedUri);
  }
}
