import { median, quantile } from '../bench/statistics.mjs';

const mib = 1024 ** 2;
/** The first round fills caches and pools. From the second on, memory should be stable. */
const settledAfter = 1;
const maxGrowth = 1.1;

/**
 * Evaluates the times of each scenario over all rounds, and memory: `{ figures, memory, grown, growth, jobs, notes,
 * passed }`.
 */
export function judge({ tries, rounds, samples, jobs }) {
  const figures = tries.map((each, at) =>
    figureOf(
      each,
      rounds.map(({ answers }) => answers[at]),
    ),
  );
  const memory = memoryOf(rounds, samples);
  const [settled, ...later] = memory.server.slice(settledAfter);
  const grown = settled === undefined || later.length === 0 ? null : later.at(-1) / settled;
  const notes = [
    `resident memory of the server, median of each round: ${inMegabytes(memory.server)}`,
    `${builderText(memory)}; both together used at most ${inMegabytes([memory.most])}`,
    `the other source was indexed ${jobs} times meanwhile`,
  ];
  const passed = figures.every((figure) => figure.passed) && (grown === null || grown <= maxGrowth);
  return { figures, memory, grown, growth: maxGrowth, jobs, notes, passed };
}

/**
 * Returns the memory of the server by round, without the process that builds its index. That process runs only when
 * needed and would make longer rounds look larger.
 */
function memoryOf(rounds, samples) {
  const server = rounds.map(({ from, to }) =>
    median(
      samples
        .filter(([ms]) => ms >= from && ms <= to)
        .map(([, bytes, children]) => bytes - children),
    ),
  );
  const builder = samples.map(([, , children]) => children).filter((bytes) => bytes > 0);
  return {
    server,
    builder: Math.max(0, ...builder),
    building: builder.length / samples.length,
    most: Math.max(...samples.map(([, bytes]) => bytes)),
  };
}

/** Describes the resources of the process that builds the index. */
export function builderText({ builder, building }) {
  const percent = Math.round(100 * building);
  return `the process that builds its index used at most ${inMegabytes([builder])} and ran for ${percent} % of the time`;
}

export function inMegabytes(sizes) {
  return sizes.map((bytes) => `${Math.round(bytes / mib)} MB`).join(', ');
}

function figureOf({ name, operation, limitMs = null }, answers) {
  const times = answers.flatMap((answer) => answer.times);
  const seconds = answers.reduce((sum, answer) => sum + answer.seconds, 0);
  const errors = new Map();
  for (const [what, many] of answers.flatMap((answer) => [...answer.errors])) {
    errors.set(what, (errors.get(what) ?? 0) + many);
  }
  if (times.length === 0) errors.set('no answer', 1);
  const p99 = share(times, 0.99);
  return {
    name,
    operation,
    limitMs,
    answers: times.length,
    perSecond: times.length / seconds,
    p50: share(times, 0.5),
    p99,
    most: share(times, 1),
    errors,
    passed: errors.size === 0 && (limitMs === null || (p99 !== null && p99 < limitMs)),
  };
}

/** Returns the cells of each figure, the header first. */
export function tableRows({ figures }) {
  return [
    ['what', 'answers', 'per second', 'p50', 'p99', 'max', 'p99 limit', 'errors', 'verdict'],
    ...figures.map((figure) => [
      figure.name,
      String(figure.answers),
      figure.perSecond.toFixed(0),
      shown(figure.p50),
      shown(figure.p99),
      shown(figure.most),
      figure.limitMs === null ? '–' : shown(figure.limitMs),
      [...figure.errors].map(([what, many]) => `${many} × ${what}`).join(', ') || 'none',
      figure.passed ? 'pass' : 'MISS',
    ]),
  ];
}

function share(times, part) {
  return times.length === 0 ? null : quantile(times, part);
}

function shown(value) {
  if (value === null) return '–';
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
