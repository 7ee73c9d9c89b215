import { createToken } from '@trove/core/di';
import { joinUri } from '@trove/core';
import type { ConnectorRecord } from '@trove/core/store';
import type { GuardedConnector } from './guarded-connector.js';
import type { SourceConfig } from '../schedules/sync-settings.js';

/** A registered source, and the path of an object or folder in it. */
export interface Location {
  readonly record: ConnectorRecord;
  readonly connector: GuardedConnector;
  readonly uri: string;
  /** Path below the root; '' is the root. */
  readonly path: string;
}

/** A registered source, or the part of it that the caller sees. */
export interface SourcePart {
  readonly record: ConnectorRecord;
  /** Path below the root; '' is the whole source. */
  readonly path: string;
}

/** The token of `SourceFinder` in an engine's container. */
export const SourceFinderToken = createToken<SourceFinder>('engine.source_finder');

/** Finds registered sources, as the caller sees them. */
export interface SourceFinder {
  /** Whether the caller sees the object or folder at a URI. */
  sees(uri: string): boolean;
  /** The canonical URI of a path or URI. Throws `validation_error` that names `field`. */
  canonicalUri(text: string, field?: 'path' | 'target'): Promise<string>;
  /** Like `canonicalUri`, but returns the URI of the object with a web address. */
  findUri(text: string, field?: 'path' | 'target'): Promise<string>;
  /** The innermost source that contains a path. Throws `not_found`, or `validation_error` that names `field`. */
  locate(text: string, field?: 'path' | 'target'): Promise<Location>;
  /** The innermost source that contains a canonical URI, or null. */
  locateUri(uri: string): Promise<Location | null>;
  findOwner(uri: string): Promise<ConnectorRecord | null>;
  findContaining(uri: string): Promise<readonly ConnectorRecord[]>;
  listParts(): Promise<readonly SourcePart[]>;
  /**
   * Returns the URI under which a path is indexed, with links inside its source resolved. Null if the path is neither in a
   * registered source nor above one.
   */
  findIndexedUri(uri: string): Promise<string | null>;
  open(record: ConnectorRecord): Promise<GuardedConnector>;
  /** Returns the configuration of a source with its secrets redacted. */
  redactConfig(record: ConnectorRecord): Promise<SourceConfig | null>;
}

export function uriOfPart({ record, path }: SourcePart): string {
  return joinUri(record.rootUri, path);
}
