import { inject, injectable, createToken, LoggerToken, MetadataStoreToken } from '@trove/core/di';
import { TroveError, type Logger } from '@trove/core';
import type { ConnectorRecord, MetadataStore } from '@trove/core/store';
import { delay } from '@trove/runtime';
import { GenerationsToken, type Generations } from '../../generations/selection/generations.js';
import { SyncJobsToken, type SyncJobs } from '../../generations/scheduling/sync-jobs.js';
import { SignalToken } from '../../tokens.js';
import {
  ConnectorsToken,
  SourceFilesToken,
  type Connectors,
  type SourceFiles,
} from '../connectors/connectors.js';
import { SourceLoginsToken, type SourceLogins } from '../connectors/source-logins.js';
import type { RemoveResponse, TargetQuery } from '../../api/schemas.js';

const retryMs = 5000;

/** The token of `Removal` in an engine's container. */
export const RemovalToken = createToken<Removal>('engine.removal');

/** Removes a source and everything known about it. */
@injectable()
export class Removal {
  readonly #store: Pick<MetadataStore, 'jobs' | 'sources'>;
  readonly #generations: Generations;
  readonly #connectors: Connectors;
  readonly #files: SourceFiles;
  readonly #logins: SourceLogins;
  readonly #jobs: SyncJobs;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'jobs' | 'sources'>,
    @inject(GenerationsToken) generations: Generations,
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(SourceFilesToken) files: SourceFiles,
    @inject(SourceLoginsToken) logins: SourceLogins,
    @inject(SyncJobsToken) jobs: SyncJobs,
    @inject(LoggerToken) logger: Logger,
    @inject(SignalToken) signal: AbortSignal,
  ) {
    this.#store = store;
    this.#generations = generations;
    this.#connectors = connectors;
    this.#files = files;
    this.#logins = logins;
    this.#jobs = jobs;
    this.#logger = logger;
    this.#signal = signal;
  }

  async remove({ target }: TargetQuery): Promise<RemoveResponse> {
    const uri = await this.#connectors.canonicalUri(target, 'target');
    const owner = await this.#connectors.findOwner(uri);
    if (owner === null) throw new TroveError('not_found', `${uri} is not registered`);
    if (owner.rootUri !== uri) {
      throw new TroveError(
        'remove_requires_connector_root',
        `${uri} is a path in the source ${owner.rootUri}`,
      );
    }
    if (!(await this.#store.sources.beginRemoval(owner.id))) {
      throw new TroveError('connector_removing', `${uri} is already being removed`);
    }
    try {
      await this.#finish(owner);
    } catch (error) {
      // The caller cannot retry, because a source in removal accepts no requests.
      void this.#finishWithRetries(owner);
      throw error;
    }
    return { target: uri, removed: true };
  }

  /** Resumes interrupted removals. */
  async resume(): Promise<void> {
    const interrupted = (await this.#store.sources.list()).filter(
      ({ status }) => status === 'removing',
    );
    await Promise.all(interrupted.map((record) => this.#finishWithRetries(record)));
  }

  /**
   * Deletes rows of unregistered sources, which a killed worker may have written after the removal. Checks the registration
   * after finding the rows, because sources are registered before they have rows.
   */
  async sweep(): Promise<void> {
    const { collection } = this.#generations.own;
    const known = new Set((await this.#store.sources.list()).map(({ id }) => id));
    for (;;) {
      const others = await collection.otherScopes([...known]);
      if (others.length === 0) return;
      for (const id of others) {
        this.#signal.throwIfAborted();
        known.add(id);
        if ((await this.#store.sources.get(id)) !== null) continue;
        this.#logger.info('deleting leftover rows of a removed source', { connector: id });
        await collection.removeScope(id);
      }
    }
  }

  async #finishWithRetries(record: ConnectorRecord): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        this.#logger.info('resuming a removal', { target: record.rootUri });
        return await this.#finish(record);
      } catch (error) {
        if (this.#signal.aborted) return;
        this.#logger.warn('a removal failed', { target: record.rootUri, error: String(error) });
        await delay(retryMs, this.#signal);
      }
    }
  }

  /**
   * Deletes rows before the record, because a removal can be resumed after a crash only while the record exists. The next
   * start removes leftover files. Meanwhile another process may have finished, and the source may be registered again.
   */
  async #finish(record: ConnectorRecord): Promise<void> {
    if (!(await this.#isRemoving(record))) return;
    for (const job of await this.#store.jobs.list({
      target: record.rootUri,
      limit: 10,
      offset: 0,
    })) {
      if (job.status !== 'queued' && job.status !== 'running') continue;
      await this.#jobs.cancel(job.id);
      await this.#jobs.runToEnd(job.id);
    }
    const now = await this.#store.sources.get(record.id);
    if (now === null || !(await this.#isRemoving(record))) return;
    await this.#generations.removeScope(record.id);
    if (!(await this.#isRemoving(record))) return;
    await this.#store.sources.delete(record.id);
    await this.#connectors.discard(record.id);
    await this.#removeFiles(now);
  }

  async #isRemoving({ id, registeredAt }: ConnectorRecord): Promise<boolean> {
    const now = await this.#store.sources.get(id);
    return now !== null && now.status === 'removing' && now.registeredAt === registeredAt;
  }

  /**
   * Does not throw, because the source is already gone. The next start removes leftover files. Tokens stay for a while,
   * because the source may be added again, and the configured token may be obsolete.
   */
  async #removeFiles(record: ConnectorRecord): Promise<void> {
    const { id, tree, rootUri } = record;
    try {
      await this.#files.folders.remove(id);
      const login = await this.#logins.of(record);
      if (login !== null) await this.#files.tokens.markUsed(login);
      if (tree !== null) await this.#files.trees.remove([tree]);
    } catch (error) {
      this.#logger.warn('deleting the files of a removed source failed', {
        target: rootUri,
        error: String(error),
      });
    }
  }
}
