import type { Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';
import type { EditionCatalog, EditionSpec } from './editions.js';
import type { FitCatalog } from './fits.js';
import type { GraphCatalog } from './graphs.js';
import type { JobQueue } from './jobs.js';
import type { ObjectCatalog } from './objects.js';
import type { RecordCatalog } from './records.js';
import type { ConnectorRegistry } from './registry.js';
import type { SummaryCatalog } from './summaries.js';
import type { TaskQueue } from './tasks.js';

/*
 * Times are milliseconds since 1970. Leases are granted and checked by the database's clock, so workers' clocks need
 * not agree; an expired lease is lost even if nobody else has taken it. Every method is one transaction. A store
 * belongs to one namespace and sees only its rows, and works in one of its editions. Strings may hold any character,
 * including NUL.
 */

/**
 * Everything that must survive, of one namespace. It is the sum of its parts rather than an object of objects, since one
 * transaction often changes several of them: the end of a task also stores its objects.
 */
export interface MetadataStore
  extends
    ConnectorRegistry,
    ObjectCatalog,
    RecordCatalog,
    SummaryCatalog,
    JobQueue,
    TaskQueue,
    GraphCatalog,
    FitCatalog,
    EditionCatalog {
  /**
   * Names this metadata: the same whenever and by whomever it is opened, another one in every other database and
   * namespace. 1 to 64 characters of `a-z0-9-`.
   */
  id(): Promise<string>;
  /** Bytes that it takes up where it is stored; cheap. */
  size?(): Promise<number>;
  /** Gives back the space of what was deleted, if that does not happen by itself; others may use the store meanwhile. */
  compact?(): Promise<void>;
  /** Waits for running calls; later calls are rejected with `engine_closed`. */
  close(): Promise<void>;
}

export interface MetadataStoreContext<C> extends PluginContext<C> {
  readonly backend: string;
  readonly namespace: string;
  /** Begun if there is none of that embedding. */
  readonly edition: EditionSpec;
}

/** A metadata store plugin; its keys are backend names (`sqlite`, `postgres`). */
export interface MetadataStorePlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'metadata-store',
  S
> {
  create(context: MetadataStoreContext<Infer<S>>): MetadataStore | Promise<MetadataStore>;
}
