import type { Statistics } from 'trove';

type EmbeddingSwitch = NonNullable<Statistics['stored']>['embeddingSwitch'];

/** One series of a family: its labels and current value. */
export type MetricSample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A metric whose values are computed on each scrape. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels: readonly string[];
  samples(statistics: Statistics): readonly MetricSample[];
}

/** The metrics of an engine. */
export const engineFamilies: readonly MetricFamily[] = [
  {
    name: 'trove_queue_running',
    help: 'Searches, greps, uploads and manifests in progress. Their number is limited.',
    type: 'gauge',
    labels: ['queue'],
    samples: ({ gates }) => samplesOf(gates, 'queue', ({ running }) => running),
  },
  {
    name: 'trove_queue_waiting',
    help: 'Requests that wait for others in the queue to finish.',
    type: 'gauge',
    labels: ['queue'],
    samples: ({ gates }) => samplesOf(gates, 'queue', ({ waiting }) => waiting),
  },
  {
    name: 'trove_queue_refused_total',
    help: 'Requests refused because too many were waiting.',
    type: 'counter',
    labels: ['queue'],
    samples: ({ gates }) => samplesOf(gates, 'queue', ({ refused }) => refused),
  },
  {
    name: 'trove_model_calls_total',
    help: 'Calls of the embedder, the language model and the reranker.',
    type: 'counter',
    labels: ['model'],
    samples: ({ calls }) => samplesOf(calls, 'model', (counts) => counts.calls),
  },
  {
    name: 'trove_model_errors_total',
    help: 'Failed model calls by error code.',
    type: 'counter',
    labels: ['model', 'code'],
    samples: ({ calls }) =>
      Object.entries(calls).flatMap(([model, { errors }]) =>
        Object.entries(errors).map(([code, count]): MetricSample => [{ model, code }, count]),
      ),
  },
  {
    name: 'trove_embedded_texts_total',
    help: 'Texts sent to the embedder.',
    type: 'counter',
    labels: [],
    samples: ({ embeddedTexts }) => [[{}, embeddedTexts]],
  },
  {
    name: 'trove_language_model_tokens_total',
    help: 'Tokens that the language model read and wrote.',
    type: 'counter',
    labels: ['direction'],
    samples: ({ tokens }) => samplesOf(tokens, 'direction', (count) => count),
  },
  {
    name: 'trove_cache_hits_total',
    help: 'Cache lookups that found a value.',
    type: 'counter',
    labels: ['cache'],
    samples: ({ lookups }) => samplesOf(lookups, 'cache', ({ hits }) => hits),
  },
  {
    name: 'trove_cache_misses_total',
    help: 'Cache lookups that found no value.',
    type: 'counter',
    labels: ['cache'],
    samples: ({ lookups }) => samplesOf(lookups, 'cache', ({ misses }) => misses),
  },
  {
    name: 'trove_disk_bytes',
    help: 'Bytes stored on disk or in a database, up to a minute old.',
    type: 'gauge',
    labels: ['part'],
    samples: ({ disk }) =>
      Object.entries(disk).flatMap(([part, bytes]): MetricSample[] =>
        bytes === null ? [] : [[{ part }, bytes]],
      ),
  },
  {
    name: 'trove_storage_up',
    help: 'Whether the metadata database responded. If not, its counts are missing.',
    type: 'gauge',
    labels: [],
    samples: ({ stored }) => [[{}, stored === null ? 0 : 1]],
  },
  ...(['sources', 'objects', 'chunks'] as const).map((what): MetricFamily => ({
    name: `trove_${what}`,
    help: `Number of ${what} by connector type, up to 15 s old.`,
    type: 'gauge',
    labels: ['type'],
    samples: ({ stored }) =>
      (stored?.types ?? []).map((counts): MetricSample => [{ type: counts.type }, counts[what]]),
  })),
  {
    name: 'trove_source_last_success_timestamp_seconds',
    help: 'End of the last successful sync of a source as a Unix time, up to 15 s old.',
    type: 'gauge',
    labels: ['source'],
    samples: ({ stored }) =>
      (stored?.sources ?? []).flatMap(({ rootUri, lastSyncedAt }): MetricSample[] =>
        lastSyncedAt === null ? [] : [[{ source: rootUri }, lastSyncedAt / 1000]],
      ),
  },
  {
    name: 'trove_source_failing',
    help: 'Whether the last sync of a source failed, up to 15 s old.',
    type: 'gauge',
    labels: ['source'],
    samples: ({ stored }) =>
      (stored?.sources ?? []).map(({ rootUri, isFailing }): MetricSample => [
        { source: rootUri },
        isFailing ? 1 : 0,
      ]),
  },
  {
    name: 'trove_embedding_switch_objects',
    help: 'Objects done and waiting while the index is rebuilt for another embedder.',
    type: 'gauge',
    labels: ['state'],
    samples: ({ stored }) => switchSamples(stored?.embeddingSwitch ?? null),
  },
  {
    name: 'trove_jobs',
    help: 'Jobs by status. Ended jobs are kept for [jobs].retention_days.',
    type: 'gauge',
    labels: ['status'],
    samples: ({ stored }) => samplesOf(stored?.jobs ?? {}, 'status', (count) => count),
  },
  {
    name: 'trove_running_job_objects',
    help: 'Objects processed by running jobs, by outcome.',
    type: 'gauge',
    labels: ['outcome'],
    samples: ({ stored }) => samplesOf(stored?.running ?? {}, 'outcome', (count) => count),
  },
];

function switchSamples(progress: EmbeddingSwitch): MetricSample[] {
  if (progress === null) return [];
  const { objects, objectsDone } = progress;
  return samplesOf(
    { done: objectsDone, waiting: objects - objectsDone },
    'state',
    (count) => count,
  );
}

function samplesOf<T>(
  values: Readonly<Record<string, T>>,
  label: string,
  valueOf: (value: T) => number,
): MetricSample[] {
  return Object.entries(values).map(([key, value]) => [{ [label]: key }, valueOf(value)]);
}
