import { inject, injectable, createToken, LoggerToken, MetadataStoreToken } from '@trove/core/di';
import {
  formatUri,
  isTroveError,
  parseUri,
  TroveError,
  type Infer,
  type Logger,
} from '@trove/core';
import type {
  ConnectorRecord,
  JobRecord,
  MetadataStore,
  NewConnector,
  TreeChange,
} from '@trove/core/store';
import { Gate } from '@trove/runtime';
import { SyncJobsToken, type SyncJobs } from '../../generations/scheduling/sync-jobs.js';
import { SettingsToken } from '../../tokens.js';
import { ConnectorsToken, type Connectors } from '../connectors/connectors.js';
import { TreeStoreToken, type TreeStore } from './tree-store.js';
import { UploadThreadsToken, type UploadThreads } from './upload-threads.js';
import type {
  AddResponse,
  filesUploadQuerySchema,
  ManifestResponse,
  uploadQuerySchema,
} from '../../api/schemas.js';
import type { EngineSettings } from '../../settings.js';
import type { SyncPermission } from '../registration/sync-permission.js';
import type { Locate } from './locate.js';
import { runAfterFirstByte } from './first-byte.js';

/** Each upload uses a thread. A manifest is held in memory there. */
const maxUploads = 8;
const maxManifests = 2;

/** A source of uploaded files, registered or not. */
interface UploadSource {
  readonly id: string;
  readonly rootUri: string;
  readonly known: ConnectorRecord | null;
}

/** The token of `UploadService` in an engine's container. */
export const UploadsToken = createToken<UploadService>('engine.upload');

/** Receives uploaded files, as a snapshot or as changes. Changes nothing until all data has arrived. */
@injectable()
export class UploadService {
  readonly #uploads = new Gate(maxUploads);
  readonly #manifests = new Gate(maxManifests);
  /** Sources whose next tree is being written in this process. */
  readonly #busy = new Set<string>();
  readonly #store: Pick<MetadataStore, 'jobs' | 'sources'>;
  readonly #connectors: Connectors;
  readonly #jobs: SyncJobs;
  readonly #trees: TreeStore;
  readonly #threads: UploadThreads;
  readonly #settings: EngineSettings;
  readonly #logger: Logger;
  readonly #background = new Set<Promise<void>>();

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'jobs' | 'sources'>,
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(SyncJobsToken) jobs: SyncJobs,
    @inject(TreeStoreToken) trees: TreeStore,
    @inject(UploadThreadsToken) threads: UploadThreads,
    @inject(SettingsToken) settings: EngineSettings,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#store = store;
    this.#connectors = connectors;
    this.#jobs = jobs;
    this.#trees = trees;
    this.#threads = threads;
    this.#settings = settings;
    this.#logger = logger;
  }

  /** The gates of uploads and manifests, with their running and waiting calls. */
  get gates(): { readonly upload: Gate; readonly manifest: Gate } {
    return { upload: this.#uploads, manifest: this.#manifests };
  }

  /** Replaces all files of a source. Files that are not in the archive are removed. */
  async upload(
    { name, process }: Infer<typeof uploadQuerySchema>,
    archive: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    permission: SyncPermission,
  ): Promise<AddResponse> {
    const source = await this.#source(name, '/', permission);
    const answer = await this.#receive(
      'snapshot',
      source,
      { process, full: false },
      archive,
      signal,
    );
    return { ...answer, overlaps: answer.overlaps.filter(permission.sees) };
  }

  /** Applies changes since the last upload. */
  async uploadFiles(
    { client_id, root, process, full }: Infer<typeof filesUploadQuerySchema>,
    bundle: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    permission: SyncPermission,
  ): Promise<AddResponse> {
    const source = await this.#source(client_id, root, permission);
    const answer = await this.#receive('bundle', source, { process, full }, bundle, signal);
    return { ...answer, overlaps: answer.overlaps.filter(permission.sees) };
  }

  /** Returns what a client must send. The request consists of the bytes of its JSON. */
  async manifest(
    request: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    permission: SyncPermission,
  ): Promise<ManifestResponse> {
    return runAfterFirstByte(this.#manifests, request, signal, async (bytes) => {
      const located: { source?: UploadSource } = {};
      const locate: Locate = async ({ client_id, root }) => {
        const source = await this.#source(client_id, root, permission);
        located.source = source;
        const tree = source.known?.tree ?? null;
        return tree === null ? null : this.#trees.folderOf(tree);
      };
      const found = await this.#threads.run('manifest', {}, { bytes, signal, locate });
      const { rootUri = '', id = '' } = located.source ?? {};
      return { connector_uri: rootUri, staging: id, ...found };
    });
  }

  async #source(
    authority: string,
    root: string,
    permission: SyncPermission,
  ): Promise<UploadSource> {
    const { path } = parseUri(root);
    const rootUri = formatUri({ scheme: 'file', authority, path });
    await permission.assert({ rootUri, setsConfig: false });
    const known = await this.#connectors.findRegistered(rootUri);
    const id = known?.id ?? (await this.#connectors.idOf(rootUri));
    return { id, rootUri, known };
  }

  /** Writes all files to a new tree. Then one transaction makes the tree current and queues the job. */
  async #receive(
    kind: 'snapshot' | 'bundle',
    { id, rootUri, known }: UploadSource,
    { process, full }: { readonly process: boolean; readonly full: boolean },
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<AddResponse> {
    const { scheme: type } = await this.#connectors.resolveTarget(rootUri);
    const record = { id, rootUri, type, config: null };
    const from = known?.tree ?? null;
    const makeTree = (begun: AsyncIterable<Uint8Array>): Promise<JobRecord> =>
      this.#trees.create(async (to) => {
        await this.#fill(kind, { from, to }, begun, signal);
        const isNew = known === null;
        return this.#makeCurrent(record, { from, to }, { full, isNew });
      });
    const job = await this.#runExclusive(id, rootUri, () =>
      runAfterFirstByte(this.#uploads, bytes, signal, makeTree),
    );
    if (from !== null) this.#inBackground(this.#removeReplaced(id, from));
    if (process) await this.#jobs.process(job.id, signal);
    const overlaps = await this.#connectors.findOverlaps(rootUri);
    return { job_id: job.id, overlaps, warnings: [] };
  }

  /**
   * Runs `make` unless this process is already writing a tree for the source. Throws `sync_already_running` and
   * `connector_removing`.
   */
  async #runExclusive<T>(id: string, rootUri: string, make: () => Promise<T>): Promise<T> {
    if (this.#busy.has(id)) throw running(`Another upload of ${rootUri} is in progress`);
    this.#busy.add(id);
    try {
      if ((await this.#store.sources.get(id))?.status === 'removing') {
        throw new TroveError('connector_removing', `${rootUri} is being removed`);
      }
      const { queued = 0, running: live = 0 } = await this.#store.jobs.counts(id);
      if (queued + live > 0) throw running(`A sync of ${rootUri} is already in progress`);
      return await make();
    } finally {
      this.#busy.delete(id);
    }
  }

  /** Writes all files to a tree that is not current yet. */
  async #fill(
    kind: 'snapshot' | 'bundle',
    { from, to }: TreeChange,
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void> {
    const input = {
      tree: this.#trees.folderOf(to),
      base: from === null ? null : this.#trees.folderOf(from),
      maxBytes: this.#settings.uploadMaxBytes,
    };
    try {
      await this.#threads.run(kind, input, { bytes, signal });
      signal.throwIfAborted();
    } catch (error) {
      await this.#remove(to);
      throw error;
    }
  }

  /** A known source that was removed meanwhile stays removed. */
  async #makeCurrent(
    record: NewConnector,
    tree: TreeChange,
    { full, isNew }: { readonly full: boolean; readonly isNew: boolean },
  ): Promise<JobRecord> {
    try {
      if (isNew) await this.#store.sources.register({ ...record, tree: tree.to });
      return await this.#jobs.queue(record.id, { full, since: null, tree });
    } catch (error) {
      if (isRefusal(error)) await this.#removeUnlessCurrent(record.id, tree.to);
      throw error;
    }
  }

  /** Removes a tree that did not become current. */
  async #removeUnlessCurrent(id: string, tree: string): Promise<void> {
    const record = await this.#store.sources.get(id).catch(() => undefined);
    if (record !== undefined && record?.tree !== tree) await this.#remove(tree);
  }

  /** Failures are logged. A later sweep removes the tree. */
  async #remove(tree: string): Promise<void> {
    await this.#trees
      .remove([tree])
      .catch((error: unknown) =>
        this.#logger.warn('an unfinished tree was not removed', { error: String(error) }),
      );
  }

  /** Removes a tree after its last reader has finished. */
  async #removeReplaced(id: string, tree: string): Promise<void> {
    const record = await this.#store.sources.get(id);
    if (record?.tree === tree) return;
    // Waits for the readers of the old tree.
    if (record !== null) await this.#connectors.reopen(record);
    await this.#trees.remove([tree]);
  }

  #inBackground(work: Promise<void>): void {
    const ended = work
      .catch((error: unknown) =>
        this.#logger.warn('a replaced tree was not removed', { error: String(error) }),
      )
      .finally(() => this.#background.delete(ended));
    this.#background.add(ended);
  }

  /** Resolves when no background work remains. */
  async close(): Promise<void> {
    await Promise.all(this.#background);
  }
}

/**
 * Whether the store refused the change, so its transaction changed nothing. After other errors, such as a lost connection,
 * it may have succeeded.
 */
function isRefusal(error: unknown): boolean {
  return isTroveError(error) && refusals.has(error.code);
}

const refusals: ReadonlySet<string> = new Set([
  'sync_already_running',
  'connector_removing',
  'not_found',
]);

function running(detail: string): TroveError {
  return new TroveError('sync_already_running', detail);
}
