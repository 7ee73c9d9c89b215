import type { Infer, JsonSchema } from '../../schema.js';
import type { PluginBase, PluginContext } from '../plugin.js';
import type { AlertQueue } from './alerts.js';
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
import type { TokenCatalog } from './tokens.js';

/*
 * Times are milliseconds since 1970. The database's clock grants and checks leases, so clocks of workers may differ. An
 * expired lease is lost even if no other worker took it. Every method is one transaction. A store belongs to one
 * namespace, sees only its rows, and works in one of its generations. Strings may contain any character, including NUL.
 */

/**
 * The durable data of a namespace, in parts. A method that changes several parts belongs to the most specific one and
 * is still one transaction. For example, `tasks.complete` also stores objects.
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
  readonly alerts: AlertQueue;
  readonly training: TrainingCatalog;
  readonly generations: GenerationCatalog;
  readonly tokens: TokenCatalog;
  /** Returns a stable id, unique per database and namespace: 1 to 64 characters of `a-z0-9-`. */
  id(): Promise<string>;
  /** Returns the bytes that the data occupies in storage. Must be cheap. */
  size?(): Promise<number>;
  /**
   * Writes the data of all namespaces, as of one moment, to a new file for `restore` of the plugin. Other calls continue
   * meanwhile.
   */
  snapshot?(file: string): Promise<void>;
  /** Frees the space of deleted data, unless the database does this automatically. Other calls continue meanwhile. */
  compact?(): Promise<void>;
  /** Waits for running calls. Later calls throw `engine_closed`. */
  close(): Promise<void>;
}

export interface MetadataStoreContext<C> extends PluginContext<C> {
  readonly backend: string;
  readonly namespace: string;
  /** The generation to open. Created if the namespace has none with this embedding. */
  readonly generation: GenerationSpec;
}

/** A metadata store plugin. Its keys are backend names (`sqlite`, `postgres`). */
export interface MetadataStorePlugin<S extends JsonSchema = JsonSchema> extends PluginBase<
  'metadata-store',
  S
> {
  create(context: MetadataStoreContext<Infer<S>>): MetadataStore | Promise<MetadataStore>;
  /**
   * Fills the configured database, which must be empty or missing, with a snapshot. Returns the names of the tokens that
   * it leaves out. Throws `storage_unavailable` if the database has data.
   */
  restore?(
    context: Pick<MetadataStoreContext<Infer<S>>, 'backend' | 'config' | 'logger'>,
    file: string,
    options: StoreRestoreOptions,
  ): Promise<readonly string[]>;
}

export interface StoreRestoreOptions {
  /** Whether to keep the tokens of the snapshot. Some of them may have been revoked since. */
  readonly keepTokens: boolean;
}
