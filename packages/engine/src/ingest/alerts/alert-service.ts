import { inject, injectable, createToken, LoggerToken, MetadataStoreToken } from '@trove/core/di';
import { messageOf, type Logger } from '@trove/core';
import type { MetadataStore } from '@trove/core/store';
import { createAbortController, delay, type KnownSecrets } from '@trove/runtime';
import { DiskSpaceToken, type DiskSpaceService } from '../../generations/maintenance/disk-space.js';
import { ProblemLog, type ProblemMessages } from '../../generations/maintenance/problem-log.js';
import type { EngineSettings } from '../../settings.js';
import { SecretsToken, SettingsToken } from '../../tokens.js';
import { newWorkerName } from '../worker/worker-name.js';
import { alertChannelsOf, type AlertChannel } from './alert-channels.js';
import { Deliveries } from './deliveries.js';
import { Incidents } from './incidents.js';

const checkIntervalMs = 5000;
const detection: ProblemMessages = {
  started: 'failing sources cannot be detected',
  ended: 'failing sources are detected again',
};
const delivery: ProblemMessages = {
  started: 'alerts cannot be sent',
  ended: 'alerts are sent again',
};

/** The token of `AlertService` in an engine's container. */
export const AlertsToken = createToken<AlertService>('engine.alerts');

/** Sends alerts about failing sources and full disks: one when the problem begins, and one when a source works again. */
@injectable()
export class AlertService {
  readonly #store: Pick<MetadataStore, 'sources' | 'alerts'>;
  readonly #settings: EngineSettings;
  readonly #diskSpace: Pick<DiskSpaceService, 'disks'>;
  readonly #secrets: Pick<KnownSecrets, 'redact'>;
  readonly #logger: Logger;
  readonly #controller = createAbortController();
  readonly #channels: readonly AlertChannel[];
  #loops: Promise<unknown> | null = null;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'sources' | 'alerts'>,
    @inject(SettingsToken) settings: EngineSettings,
    @inject(DiskSpaceToken) diskSpace: Pick<DiskSpaceService, 'disks'>,
    @inject(SecretsToken) secrets: Pick<KnownSecrets, 'redact'>,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#store = store;
    this.#settings = settings;
    this.#diskSpace = diskSpace;
    this.#secrets = secrets;
    this.#logger = logger;
    this.#channels = alertChannelsOf(settings.alerts);
  }

  /** Has no effect without a channel. */
  start(): void {
    if (this.#channels.length > 0) this.#loops ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#loops;
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    const { machineId, alerts } = this.#settings;
    await this.#checkChannels();
    const incidents = new Incidents(this.#store, {
      limits: { after: alerts.after, watchedSince: Date.now() },
      channels: this.#channels.map(({ name }) => name),
      machineId,
      baseUrl: alerts.baseUrl,
      redact: (text) => this.#secrets.redact(text),
    });
    const worker = await newWorkerName(machineId);
    const deliveries = new Deliveries(this.#store, worker, this.#logger, signal);
    await Promise.all([
      this.#repeat(detection, async () =>
        incidents.update(await this.#diskSpace.disks(), Date.now()),
      ),
      ...this.#channels.map((channel) => this.#repeat(delivery, () => deliveries.deliver(channel))),
    ]);
  }

  /** A wrong setting would otherwise show only at the first alert. */
  async #checkChannels(): Promise<void> {
    for (const { name, check } of this.#channels)
      await check().catch((error: unknown) =>
        this.#logger.warn('alerts cannot be sent', { channel: name, error: messageOf(error) }),
      );
  }

  async #repeat(messages: ProblemMessages, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#controller;
    const problem = new ProblemLog(this.#logger, messages);
    while (!signal.aborted) {
      try {
        await work();
        problem.update(null);
      } catch (error) {
        if (!signal.aborted) problem.update(messageOf(error));
      }
      await delay(checkIntervalMs, signal);
    }
  }
}
