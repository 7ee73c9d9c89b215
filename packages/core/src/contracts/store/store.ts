import type { Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';
import type { GenerationCatalog, GenerationSpec } from './generations.js';
import type { TrainingCatalog } from './training.js';
import type { GraphCatalog } from './graphs.js';
import type { JobQueue } from './jobs.js';
import type { WorkerLeases } from './leases.js';
import type { JobListings } from './listings.js';
import type { ObjectCatalog } from './objects.js';
import type { RecordCatalog } from './records.js';
import type { ConnectorRegistry } from './registry.js';
import type { SummaryCatalog } from './summaries.js';
import type { TaskQueue } from './tasks.js';

/*
 * Times are milliseconds since 1970. Leases are granted and checked by the database's clock, so workers' clocks need
 * not agree; an expired lease is lost even if nobody else has taken it. Every method is one transaction. A store
 * belongs to one namespace and sees only its rows, and works in one of its generations. Strings may hold any character,
 * including NUL.
 */

/**
 * Everything that must survive, of one namespace, in parts. An operation that changes several parts is a method of the
 * part that it is about, and still one transaction: `tasks.complete` also stores the objects.
 */
export interface MetadataStore {
  readonly sources: ConnectorRegistry;
  readonly jobs: JobQueue;
  readonly listings: JobListings;
  readonly tasks: TaskQueue;
  readonly leases: WorkerLeases;
  readonly objects: ObjectCatalog;
  readonly records: RecordCatalog;
  readonly summaries: SummaryCatalog;
  readonly graphs: GraphCatalog;
  readonly training: TrainingCatalog;
  readonly generations: GenerationCatalog;
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
  readonly generation: GenerationSpec;
}

/** A metadata store plugin; its keys are backend names (`sqlite`, `postgres`). */
export interface MetadataStorePlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'metadata-store',
  S
> {
  create(context: MetadataStoreContext<Infer<S>>): MetadataStore | Promise<MetadataStore>;
}
