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
import { connectorId } from '../ids.js';
import type { EngineSettings } from '../../settings.js';
import type { Locate } from './locate.js';
import { runAfterFirstByte } from './first-byte.js';

/** Each has a thread; a manifest is held there as a whole. */
const maxUploads = 8;
const maxManifests = 2;

/** A source whose files a client sends, registered or not. */
interface UploadSource {
  readonly id: string;
  readonly rootUri: string;
  readonly known: ConnectorRecord | null;
}

/** The token of `UploadService` in an engine's container. */
export const UploadsToken = createToken<UploadService>('engine.upload');

/** Takes in the files that clients send: whole, or as what has changed. Nothing is changed before everything is there. */
@injectable()
export class UploadService {
  readonly #uploads = new Gate(maxUploads);
  readonly #manifests = new Gate(maxManifests);
  /** Sources whose next tree is being made here. */
  readonly #busy = new Set<string>();
  readonly #store: Pick<MetadataStore, 'jobs' | 'sources'>;
  readonly #connectors: Connectors;
  readonly #jobs: SyncJobs;
  readonly #trees: TreeStore;
  readonly #threads: UploadThreads;
  readonly #settings: EngineSettings;
  readonly #logger: Logger;
  readonly #ending = new Set<Promise<void>>();

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

  /** How many uploads and manifests are in work and waiting. */
  get gates(): { readonly upload: Gate; readonly manifest: Gate } {
    return { upload: this.#uploads, manifest: this.#manifests };
  }

  /** A snapshot: what is not in the archive is removed. */
  async upload(
    { name, process }: Infer<typeof uploadQuerySchema>,
    archive: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<AddResponse> {
    const source = await this.#source(name, '/');
    return this.#take('snapshot', source, { process, full: false }, archive, signal);
  }

  /** What has changed since the last time. */
  async uploadFiles(
    { client_id, root, process, full }: Infer<typeof filesUploadQuerySchema>,
    bundle: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<AddResponse> {
    const source = await this.#source(client_id, root);
    return this.#take('bundle', source, { process, full }, bundle, signal);
  }

  /** What a client has to send. The request comes as the bytes of its JSON. */
  async manifest(
    request: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<ManifestResponse> {
    return runAfterFirstByte(this.#manifests, request, signal, async (bytes) => {
      const asked: { source?: UploadSource } = {};
      const locate: Locate = async ({ client_id, root }) => {
        const source = await this.#source(client_id, root);
        asked.source = source;
        const tree = source.known?.tree ?? null;
        return tree === null ? null : this.#trees.folderOf(tree);
      };
      const found = await this.#threads.run('manifest', {}, { bytes, signal, locate });
      const { rootUri = '', id = '' } = asked.source ?? {};
      return { connector_uri: rootUri, staging: id, ...found };
    });
  }

  async #source(authority: string, root: string): Promise<UploadSource> {
    const { path } = parseUri(root);
    const rootUri = formatUri({ scheme: 'file', authority, path });
    const id = connectorId(this.#settings.namespace, rootUri);
    return { id, rootUri, known: await this.#store.sources.get(id) };
  }

  /** Everything is in a tree of its own first; then one transaction makes the tree current and queues the job. */
  async #take(
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
        return this.#makeCurrent(record, { from, to }, full);
      });
    const job = await this.#alone(id, rootUri, () =>
      runAfterFirstByte(this.#uploads, bytes, signal, makeTree),
    );
    if (from !== null) this.#inBackground(this.#replaced(id, from));
    if (process) await this.#jobs.process(job.id, signal);
    const overlaps = await this.#connectors.findOverlaps(rootUri);
    return { job_id: job.id, overlaps, warnings: [] };
  }

  /** Runs while nobody else, here, makes a tree for the source. Throws `sync_already_running`, `connector_removing`. */
  async #alone<T>(id: string, rootUri: string, make: () => Promise<T>): Promise<T> {
    if (this.#busy.has(id)) throw running(`Files of ${rootUri} are arriving already`);
    this.#busy.add(id);
    try {
      if ((await this.#store.sources.get(id))?.status === 'removing') {
        throw new TroveError('connector_removing', `${rootUri} is being removed`);
      }
      const { queued = 0, running: live = 0 } = await this.#store.jobs.counts(id);
      if (queued + live > 0) throw running(`A sync of ${rootUri} is already in flight`);
      return await make();
    } finally {
      this.#busy.delete(id);
    }
  }

  /** Puts all files into a tree that nobody knows of yet. */
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

  async #makeCurrent(record: NewConnector, tree: TreeChange, full: boolean): Promise<JobRecord> {
    try {
      await this.#store.sources.register({ ...record, tree: tree.to });
      return await this.#jobs.queue(record.id, { full, since: null, tree });
    } catch (error) {
      if (isRefusal(error)) await this.#drop(record.id, tree.to);
      throw error;
    }
  }

  /** Removes a tree that did not become current. */
  async #drop(id: string, tree: string): Promise<void> {
    const record = await this.#store.sources.get(id).catch(() => undefined);
    if (record !== undefined && record?.tree !== tree) await this.#remove(tree);
  }

  /** What cannot be removed now is swept later. */
  async #remove(tree: string): Promise<void> {
    await this.#trees
      .remove([tree])
      .catch((error: unknown) =>
        this.#logger.warn('an unfinished tree was not removed', { error: String(error) }),
      );
  }

  async #replaced(id: string, tree: string): Promise<void> {
    const record = await this.#store.sources.get(id);
    if (record?.tree === tree) return;
    // Whoever reads from the old one may do so to the end.
    if (record !== null) await this.#connectors.reopen(record);
    await this.#trees.remove([tree]);
  }

  #inBackground(work: Promise<void>): void {
    const ended = work
      .catch((error: unknown) =>
        this.#logger.warn('a replaced tree was not removed', { error: String(error) }),
      )
      .finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** Resolves when nothing goes on in the background. */
  async close(): Promise<void> {
    await Promise.all(this.#ending);
  }
}

/** Of the store: its transaction has changed nothing. After anything else, a lost connection say, it may have. */
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
