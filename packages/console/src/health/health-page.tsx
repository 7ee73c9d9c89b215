import { TroveApiError, type StatusResponse, type TroveClient } from '@trove/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { base } from '../address.js';
import { Failure } from '../parts/failure.js';
import { shownBytes, shownNumber } from '../parts/numbers.js';
import { duration } from '../parts/times.js';
import { useClient } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import { DiskUse } from './disk-use.js';
import { findingsOf } from './findings.js';
import { meanDurationMs, parseMetrics, total, type MetricReading } from './metrics.js';
import { Plot } from './plot.js';

const everyMs = 3000;
const maxReadings = 100;

/** The state of the server: problems, memory, disk and times. */
export function HealthPage(): JSX.Element {
  const client = useClient();
  const { value, error } = useLoaded(
    async (signal) => {
      const [status, info, samples] = await Promise.all([
        client.server.status({ signal }),
        client.server.getServerInfo({ signal }),
        readMetrics(client, signal),
      ]);
      return { status, info, samples };
    },
    [],
    { everyMs },
  );
  const [readings, setReadings] = useState<readonly (readonly MetricReading[])[]>([]);
  useEffect(() => {
    const samples = value?.samples;
    if (samples !== undefined && samples !== null)
      setReadings((last) => [...last, samples].slice(-maxReadings));
  }, [value]);
  return (
    <div class="page">
      <h1>Health</h1>
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <p class="soft">Reading …</p>}
      {value !== undefined && (
        <>
          <Findings status={value.status} />
          {readings.length > 0 && <Plots readings={readings} />}
          <h2>Server</h2>
          <dl class="facts">
            <dt>Version</dt>
            <dd>{value.info.version}</dd>
            {value.samples !== null && (
              <>
                <dt>Running for</dt>
                <dd>{runningFor(value.samples)}</dd>
              </>
            )}
            <dt>Namespace</dt>
            <dd>{value.info.namespace}</dd>
            <dt>Embedder</dt>
            <dd>{value.status.embedding.name}</dd>
            <dt>Kinds of sources</dt>
            <dd>{value.info.capabilities.schemes.join(', ')}</dd>
            <dt>More</dt>
            <dd>
              <a href={`${base}/docs`}>API</a>
            </dd>
          </dl>
          {value.samples !== null && <DiskUse status={value.status} />}
        </>
      )}
    </div>
  );
}

/** Returns null for a token that may not see the whole server. */
async function readMetrics(
  client: TroveClient,
  signal: AbortSignal,
): Promise<MetricReading[] | null> {
  try {
    return parseMetrics(await client.server.metrics({ signal }));
  } catch (error) {
    if (error instanceof TroveApiError && error.code === 'forbidden') return null;
    throw error;
  }
}

function Findings({ status }: { readonly status: StatusResponse }): JSX.Element {
  const findings = findingsOf(status);
  if (findings.length === 0) {
    return (
      <p class="notice">
        <strong>No problems.</strong> {sourcesText(status)}
        {status.disk_space.length > 0 && ' The disks have enough space.'}
      </p>
    );
  }
  return (
    <div class="notice bad">
      <ul>
        {findings.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

function sourcesText({ connectors }: StatusResponse): string {
  return connectors.length === 0 ? 'No source is visible.' : 'All sources can be reached.';
}

function Plots({
  readings,
}: {
  readonly readings: readonly (readonly MetricReading[])[];
}): JSX.Element {
  const valuesOf = (name: string): number[] => readings.map((samples) => total(samples, name));
  const memory = valuesOf('process_resident_memory_bytes');
  const disk = valuesOf('trove_disk_bytes');
  const waiting = valuesOf('trove_queue_waiting');
  const lags = valuesOf('nodejs_eventloop_lag_p99_seconds').map((seconds) => seconds * 1000);
  const times = readings.map((samples, index) =>
    meanDurationMs(readings[index - 1] ?? [], samples),
  );
  const time = times.at(-1) ?? null;
  return (
    <ul class="cards plots" aria-label="Measurements">
      <Plot name="Memory" shown={shownBytes(memory.at(-1) ?? 0)} values={memory} />
      <Plot name="Disk use" shown={shownBytes(disk.at(-1) ?? 0)} values={disk} />
      <Plot
        name="Mean time of a request"
        shown={time === null ? 'none' : `${time.toFixed(1)} ms`}
        values={times}
      />
      <Plot name="Waiting requests" shown={shownNumber(waiting.at(-1) ?? 0)} values={waiting} />
      <Plot
        name="Event loop delay, p99"
        shown={`${(lags.at(-1) ?? 0).toFixed(1)} ms`}
        values={lags}
      />
    </ul>
  );
}

function runningFor(samples: readonly MetricReading[]): string {
  const seconds = total(samples, 'process_start_time_seconds');
  return duration(new Date(seconds * 1000).toISOString(), null);
}
