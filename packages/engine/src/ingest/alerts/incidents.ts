import { randomUUID } from 'node:crypto';
import type { ConnectorRecord, Incident, MetadataStore, NewAlert } from '@trove/core/store';
import type { DiskSpace } from '../../generations/maintenance/disk-space.js';
import { toIsoTime } from '../jobs/job-view.js';
import { diskAlert, sourceAlert, type AlertBody } from './alert-body.js';
import { failureOf, isRecovered, type FailureLimits } from './failing-source.js';

/** The free space of a recovered disk. Higher than the limit for `low`, so the state does not alternate. */
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

/** Opens and closes incidents, with one alert for each channel. Safe in several processes at the same time. */
export class Incidents {
  readonly #store: Pick<MetadataStore, 'sources' | 'alerts'>;
  readonly #options: IncidentOptions;

  constructor(store: Pick<MetadataStore, 'sources' | 'alerts'>, options: IncidentOptions) {
    this.#store = store;
    this.#options = options;
  }

  async update(disks: readonly DiskSpace[], now: number): Promise<void> {
    const { alerts } = this.#store;
    const incidents = await alerts.incidents();
    const open = new Map(incidents.map((incident) => [incident.key, incident]));
    const keys = [...open.keys()].filter((key) => key.startsWith(sourcePrefix));
    const sources = await this.#observed(
      keys.map((key) => key.slice(sourcePrefix.length)),
      now,
    );
    const removed = keys.filter((key) => !sources.has(key.slice(sourcePrefix.length)));
    await runAll([
      ...Array.from(sources.values(), (source) => () => this.#updateSource(source, open, now)),
      ...disks.map((disk) => () => this.#updateDisk(disk, open, now)),
      ...removed.map((key) => () => alerts.resolve(key, [])),
    ]);
  }

  /** Returns the sources that may fail, and those with an open incident, by id. */
  async #observed(
    withIncident: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, ConnectorRecord>> {
    const { sources } = this.#store;
    const found = await Promise.all([
      sources.listFailing(),
      sources.listDue(now),
      withIncident.length === 0 ? [] : sources.list(withIncident),
    ]);
    return new Map(found.flat().map((record) => [record.id, record]));
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

/** Runs all functions, even if some fail. Throws the first error. */
async function runAll(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const each of work) await each().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
