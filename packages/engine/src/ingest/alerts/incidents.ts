import { randomUUID } from 'node:crypto';
import type { ConnectorRecord, Incident, MetadataStore, NewAlert } from '@trove/core/store';
import type { DiskSpace } from '../../generations/maintenance/disk-space.js';
import { toIsoTime } from '../jobs/job-view.js';
import { diskAlert, sourceAlert, type AlertBody } from './alert-body.js';
import { failureOf, isRecovered, type FailureLimits } from './failing-source.js';

/** A disk counts as recovered at more than its limit for `low`, so it does not alternate. */
const enoughBytes = 600_000_000;
const sourcePrefix = 'source:';

export interface IncidentOptions {
  readonly limits: FailureLimits;
  readonly channels: readonly string[];
  readonly machineId: string;
  readonly baseUrl: string | null;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/** Opens and closes incidents, with one alert for each channel. Several processes may do so at the same time. */
export class Incidents {
  readonly #store: Pick<MetadataStore, 'sources' | 'alerts'>;
  readonly #options: IncidentOptions;

  constructor(store: Pick<MetadataStore, 'sources' | 'alerts'>, options: IncidentOptions) {
    this.#store = store;
    this.#options = options;
  }

  async update(disks: readonly DiskSpace[], now: number): Promise<void> {
    const [sources, incidents] = await Promise.all([
      this.#store.sources.list(),
      this.#store.alerts.incidents(),
    ]);
    const open = new Map(incidents.map((incident) => [incident.key, incident]));
    for (const source of sources) await this.#updateSource(source, open, now);
    for (const disk of disks) await this.#updateDisk(disk, open, now);
    const known = new Set(sources.map(({ id }) => `${sourcePrefix}${id}`));
    for (const key of open.keys())
      if (key.startsWith(sourcePrefix) && !known.has(key))
        await this.#store.alerts.resolve(key, []);
  }

  async #updateSource(
    record: ConnectorRecord,
    open: ReadonlyMap<string, Incident>,
    now: number,
  ): Promise<void> {
    const { id, rootUri, lastSyncedAt } = record;
    const { limits, baseUrl } = this.#options;
    const key = `${sourcePrefix}${id}`;
    const incident = open.get(key);
    const failure = failureOf(record, limits, now);
    if (failure !== null && incident === undefined) {
      const { code, since, detail } = failure;
      const body = sourceAlert('source_failing', rootUri, failure, detail, baseUrl);
      await this.#store.alerts.raise({ key, code, since }, this.#alerts(body), {
        id,
        lastSyncedAt,
      });
    } else if (incident !== undefined && isRecovered(record, failure)) {
      const synced =
        lastSyncedAt === null ? '' : ` Its last sync ended on ${toIsoTime(lastSyncedAt)}.`;
      const detail = `The source works again.${synced}`;
      const body = sourceAlert('source_recovered', rootUri, incident, detail, baseUrl);
      await this.#store.alerts.resolve(key, this.#alerts(body));
    }
  }

  async #updateDisk(
    { name, state, detail, freeBytes }: DiskSpace,
    open: ReadonlyMap<string, Incident>,
    now: number,
  ): Promise<void> {
    const key = `disk:${this.#options.machineId}:${name}`;
    const isLow = state === 'low' || state === 'full';
    if (isLow && !open.has(key)) {
      const incident = { key, code: state === 'full' ? 'disk_full' : 'disk_low', since: now };
      const body = diskAlert(incident, detail ?? '', this.#options.baseUrl);
      await this.#store.alerts.raise(incident, this.#alerts(body));
    } else if (open.has(key) && freeBytes !== null && freeBytes >= enoughBytes) {
      await this.#store.alerts.resolve(key, []);
    }
  }

  #alerts(body: AlertBody): NewAlert[] {
    const { channels, redact } = this.#options;
    const shown = { ...body, detail: redact(body.detail) };
    return channels.map((channel) => ({ id: randomUUID(), channel, body: shown }));
  }
}
