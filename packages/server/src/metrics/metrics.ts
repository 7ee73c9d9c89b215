import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Engine, Statistics } from 'trove';
import { version } from '../version.js';
import { engineFamilies, type MetricFamily } from './families.js';

/** In seconds: from cached responses to responses of a language model. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const resolutionMs = 20;
const nanoseconds = 1e9;
const microseconds = 1e6;

/** A finished request. Method and route are those of the route table, or `other`. */
export interface AnsweredRequest {
  readonly method: string;
  readonly route: string;
  /** `none` if the client disconnected before the response. */
  readonly status: string;
  readonly seconds: number;
}

/**
 * The Prometheus metrics of one server. Labels are routes, statuses, error codes, connector types and the roots
 * of at most 1,000 sources, never other paths, queries or ids, because the number of series must be limited.
 */
export class Metrics {
  readonly #engine: Engine;
  readonly #registry = new Registry();
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #refresh: readonly ((statistics: Statistics) => void)[];
  readonly #requests: Counter<'method' | 'route' | 'status'>;
  readonly #seconds: Histogram<'method' | 'route'>;

  constructor(engine: Engine) {
    const registers = [this.#registry];
    this.#engine = engine;
    this.#delay.enable();
    this.#requests = new Counter({
      name: 'trove_http_requests_total',
      help: 'Finished requests.',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'trove_http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its response.',
      labelNames: ['method', 'route'],
      buckets,
      registers,
    });
    const families = [...engineFamilies, ...this.#processFamilies()];
    this.#refresh = families.map((family) => this.#family(family));
  }

  countRequest({ method, route, status, seconds }: AnsweredRequest): void {
    this.#requests.inc({ method, route, status });
    this.#seconds.observe({ method, route }, seconds);
  }

  /** Returns all metrics in Prometheus' text format. */
  async text(): Promise<string> {
    const statistics = await this.#engine.statistics();
    for (const refresh of this.#refresh) refresh(statistics);
    return this.#registry.metrics();
  }

  /** Stops measuring. */
  close(): void {
    this.#delay.disable();
  }

  /** Returns a function that replaces the values of a family. */
  #family({ name, help, type, labels, samples }: MetricFamily): (statistics: Statistics) => void {
    const options = { name, help, labelNames: [...labels], registers: [this.#registry] };
    const metric = type === 'gauge' ? new Gauge(options) : new Counter(options);
    return (statistics) => {
      metric.reset();
      for (const [given, value] of samples(statistics)) metric.inc({ ...given }, value);
    };
  }

  /** The metrics of the process, named as in Prometheus' own libraries. */
  #processFamilies(): readonly MetricFamily[] {
    const one = (
      name: string,
      help: string,
      value: () => number,
      type: MetricFamily['type'] = 'gauge',
    ): MetricFamily => ({ name, help, type, labels: [], samples: () => [[{}, value()]] });
    const lag = (name: string, value: () => number): MetricFamily =>
      one(
        `nodejs_eventloop_lag_${name}_seconds`,
        'Delay of timers since the last scrape.',
        () => Math.max(0, value() / nanoseconds - resolutionMs / 1000) || 0,
      );
    return [
      {
        name: 'trove_build_info',
        help: 'The version of the server.',
        type: 'gauge',
        labels: ['version'],
        samples: () => [[{ version }, 1]],
      },
      one('process_resident_memory_bytes', 'Resident memory of the process.', () =>
        process.memoryUsage.rss(),
      ),
      one(
        'process_cpu_seconds_total',
        'CPU time of the process.',
        () => {
          const { user, system } = process.cpuUsage();
          return (user + system) / microseconds;
        },
        'counter',
      ),
      one(
        'process_start_time_seconds',
        'Start time of the process as a Unix time.',
        () => Date.now() / 1000 - process.uptime(),
      ),
      one('nodejs_heap_size_used_bytes', 'Used heap.', () => process.memoryUsage().heapUsed),
      one(
        'nodejs_external_memory_bytes',
        'Memory outside the heap that heap objects own.',
        () => process.memoryUsage().external,
      ),
      lag('p50', () => this.#delay.percentile(50)),
      lag('p99', () => this.#delay.percentile(99)),
      lag('max', () => {
        const { max } = this.#delay;
        this.#delay.reset();
        return max;
      }),
    ];
  }
}
