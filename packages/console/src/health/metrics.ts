/** A value of a metric with its labels. */
export interface MetricReading {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Parses metrics in the text format of Prometheus. */
export function parseMetrics(text: string): MetricReading[] {
  return text.split('\n').flatMap((row) => {
    const [, name, labels = '', value] = line.exec(row) ?? [];
    if (name === undefined || value === undefined) return [];
    const pairs = [...labels.matchAll(label)].map(([, key = '', content = '']) => [key, content]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** Returns the sum of a metric over all labels. */
export function total(samples: readonly MetricReading[], name: string): number {
  return samples
    .filter((sample) => sample.name === name)
    .reduce((sum, { value }) => sum + value, 0);
}

const duration = 'trove_http_request_duration_seconds';

/** Returns the mean duration in milliseconds of the requests between two readings, or null without requests. */
export function meanDurationMs(
  before: readonly MetricReading[],
  after: readonly MetricReading[],
): number | null {
  const count = total(after, `${duration}_count`) - total(before, `${duration}_count`);
  const seconds = total(after, `${duration}_sum`) - total(before, `${duration}_sum`);
  return count <= 0 ? null : (seconds / count) * 1000;
}
