import { median, p95 } from './statistics.mjs';
import { modes } from './measure/search.mjs';
import { totalOf } from './measure/space.mjs';

const mib = 1024 * 1024;
const memoryAtRest = 400 * mib;
const installBytes = 350e6;
const memoryAbove = 300 * mib;
const noise = 1.1;
const maxFilterMs = 300;
/** The fallback for machines without ripgrep: five times its time on the machine where the target was set. */
const grepWithoutRipgrepMs = 237;

/** Returns a measured value with its floor. `limit`: the value that the target allows. */
function figure({ name, unit, value, floorName, floor, target, limit }) {
  return {
    name,
    unit,
    value,
    floorName: floorName ?? null,
    floor: floor ?? null,
    ratio: floor === undefined ? null : value / floor,
    target,
    limit,
    passed: value <= limit,
  };
}

/** Returns all figures of a run in the order of the report. `results` contains the measurements of each part. */
export function figuresOf(results) {
  return [
    ...indexingFigures(results),
    ...syncFigures(results),
    ...searchFigures(results.idle),
    filterFigure(results.filter),
    ...busyFigures(results),
    ...sizeFigures(results),
    grepFigure(results.grep),
    ...spaceFigures(results),
  ];
}

function indexingFigures({ indexing, bare, large }) {
  const own = median(indexing.map(({ ms }) => ms));
  const floor = median(bare.map(({ ms }) => ms));
  const peak = median(indexing.map(({ memory }) => memory.peak));
  const barePeak = median(bare.map(({ maxRssBytes }) => maxRssBytes));
  return [
    figure({
      name: 'indexing, cold',
      unit: 'ms',
      value: own,
      floorName: 'the bare store: the same rows, the same indices',
      floor,
      target: '≤ 3 ×',
      limit: 3 * floor,
    }),
    figure({
      name: 'indexing, peak memory',
      unit: 'bytes',
      value: peak,
      floorName: 'the bare store',
      floor: barePeak,
      target: '≤ floor + 300 MB',
      limit: barePeak + memoryAbove,
    }),
    ...(large === undefined
      ? []
      : [
          figure({
            name: 'indexing four times as much, peak memory',
            unit: 'bytes',
            value: large.memory.peak,
            floorName: 'the server on the tree itself',
            floor: peak,
            target: 'no higher (≤ 1.1 ×)',
            limit: peak * noise,
          }),
        ]),
  ];
}

function syncFigures({ indexing, resync, change, back }) {
  const first = median(indexing.map(({ ms }) => ms));
  return [
    figure({
      name: 'sync, nothing changed',
      unit: 'ms',
      value: resync.ms,
      floorName: 'walking and stating the tree',
      floor: resync.floorMs,
      target: '≤ 3 ×',
      limit: 3 * resync.floorMs,
    }),
    figure({
      name: 'one changed file searchable',
      unit: 'ms',
      value: change.ms,
      target: '< 1 s',
      limit: 1000,
    }),
    figure({
      name: 'a third deleted and added again',
      unit: 'ms',
      value: back.ms,
      floorName: 'indexing, cold',
      floor: first,
      target: '≤ 0.5 ×',
      limit: 0.5 * first,
    }),
  ];
}

function searchFigures(idle) {
  return modes.flatMap((mode) =>
    Object.entries({ p50: median, p95 }).map(([name, at]) => {
      const floor = at(idle[mode].floor);
      return figure({
        name: `search, ${mode}, ${name}`,
        unit: 'ms',
        value: at(idle[mode].own),
        floorName: 'the bare index query',
        floor,
        target: '≤ 2 × + 3 ms',
        limit: 2 * floor + 3,
      });
    }),
  );
}

function filterFigure(times) {
  return figure({
    name: 'search, hybrid, p95 with the longest filter',
    unit: 'ms',
    value: p95(times),
    target: '< 300 ms',
    limit: maxFilterMs,
  });
}

function busyFigures({ idle, busy }) {
  return modes.map((mode) => {
    const floor = p95(idle[mode].own);
    return figure({
      name: `search, ${mode}, p95 while indexing`,
      unit: 'ms',
      value: p95(busy[mode]),
      floorName: 'the same, idle',
      floor,
      target: '≤ 3 ×',
      limit: 3 * floor,
    });
  });
}

function sizeFigures({ idle, small }) {
  if (small === undefined) return [];
  const floor = p95(idle.hybrid.own);
  return [
    figure({
      name: 'search, hybrid, p95 in a quarter of the tree',
      unit: 'ms',
      value: p95(small.hybrid.own),
      floorName: 'in the whole tree',
      floor,
      target: 'no higher (≤ 1.1 ×)',
      limit: floor * noise,
    }),
  ];
}

function spaceFigures({ textBytes, space, rest, install }) {
  const own = totalOf(space);
  return [
    figure({
      name: 'size of the index',
      unit: 'bytes',
      value: own,
      floorName: 'the text itself',
      floor: textBytes,
      target: '≤ 3 ×',
      limit: 3 * textBytes,
    }),
    figure({
      name: 'size of the index, a minute after syncs and a removal',
      unit: 'bytes',
      value: totalOf(rest.space),
      floorName: 'before',
      floor: own,
      target: '≤ 1.2 ×',
      limit: 1.2 * own,
    }),
    figure({
      name: 'memory, a minute after load',
      unit: 'bytes',
      value: rest.memory,
      target: '≤ 400 MB',
      limit: memoryAtRest,
    }),
    figure({
      name: 'npm install trove',
      unit: 'bytes',
      value: install,
      target: '≤ 350 MB (of a million bytes)',
      limit: installBytes,
    }),
  ];
}

function grepFigure({ ms, floorMs, ripgrep }) {
  const common = { name: 'grep of a literal', unit: 'ms', value: ms, floor: floorMs };
  if (ripgrep === undefined) {
    const limit = grepWithoutRipgrepMs;
    const floorName = 'reading all files in Node (no ripgrep here)';
    return figure({ ...common, floorName, target: `≤ ${limit} ms`, limit });
  }
  const floorName = `ripgrep ${ripgrep}`;
  return figure({ ...common, floorName, target: '≤ 5 ×', limit: 5 * floorMs });
}
