import { quantile } from '../statistics.mjs';
import { curve, line, rect, svg, text, ticks } from './svg.mjs';
import { shownRatio } from './table.mjs';

const WIDTH = 760;
const LEFT = 270;
const RIGHT = 24;
const TOP = 48;
const ROW = 26;
const CHART_HEIGHT = 300;
const MIB = 1024 * 1024;

/** A bar for each figure: the measured value as a share of what its target allows. */
export function targetPlot(figures) {
  const height = TOP + figures.length * ROW + 40;
  const shares = figures.map(({ value, limit }) => value / limit);
  const axis = ticks(Math.max(1, ...shares));
  const x = scale(axis.at(-1), LEFT, WIDTH - RIGHT - 60);
  const bottom = TOP + figures.length * ROW;
  return svg(WIDTH, height, 'Each figure as a share of its target (less is better)', [
    ...axis.map((at) => line(x(at), TOP, x(at), bottom, 'grid')),
    ...axis.map((at) => text(x(at), bottom + 18, `${Math.round(at * 100)} %`, 'soft', 'middle')),
    ...figures.flatMap(({ name, passed, ratio }, row) => {
      const y = TOP + row * ROW;
      return [
        text(LEFT - 8, y + 16, name, '', 'end'),
        rect(x(0), y + 4, x(shares[row]) - x(0), ROW - 8, passed ? 'a' : 'bad'),
        text(x(shares[row]) + 6, y + 16, ratio === null ? '' : shownRatio(ratio), 'soft'),
      ];
    }),
    line(x(1), TOP - 6, x(1), bottom, 'mark'),
  ]);
}

/** How long searches take in each mode, idle and while another folder is indexed: 5th to 95th percentile, and median. */
export function latencyPlot(idle, busy) {
  const bars = Object.keys(idle).flatMap((mode) => [
    { name: `${mode}, bare index`, times: idle[mode].floor, kind: 'b' },
    { name: `${mode}, idle`, times: idle[mode].own, kind: 'a' },
    { name: `${mode}, while indexing`, times: busy[mode], kind: 'a' },
  ]);
  const height = TOP + bars.length * ROW + 40;
  const axis = ticks(Math.max(...bars.map(({ times }) => quantile(times, 0.95))));
  const x = scale(axis.at(-1), LEFT, WIDTH - RIGHT);
  const bottom = TOP + bars.length * ROW;
  return svg(WIDTH, height, 'Search latency: 5th to 95th percentile, median marked', [
    ...axis.map((at) => line(x(at), TOP, x(at), bottom, 'grid')),
    ...axis.map((at) => text(x(at), bottom + 18, `${at} ms`, 'soft', 'middle')),
    ...bars.flatMap(({ name, times, kind }, row) => {
      const y = TOP + row * ROW;
      const [low, middle, high] = [0.05, 0.5, 0.95].map((at) => x(quantile(times, at)));
      return [
        text(LEFT - 8, y + 16, name, '', 'end'),
        rect(low, y + 9, high - low, ROW - 18, kind),
        rect(middle - 2, y + 4, 4, ROW - 8, kind),
      ];
    }),
  ]);
}

/** Resident memory of the server over the time of an indexing; `curves` is `[{ name, samples, kind }]`. */
export function memoryPlot(curves, barePeak) {
  const all = curves.flatMap(({ samples }) => samples);
  const yAxis = ticks(Math.max(barePeak, ...all.map(([, bytes]) => bytes)) / MIB);
  const xAxis = ticks(Math.max(...all.map(([ms]) => ms)) / 1000);
  const bottom = TOP + CHART_HEIGHT;
  const x = scale(xAxis.at(-1), 80, WIDTH - RIGHT);
  const y = scale(yAxis.at(-1), bottom, TOP);
  const level = y(barePeak / MIB);
  return svg(WIDTH, bottom + 60, 'Resident memory of the server while indexing', [
    ...yAxis.map((at) => line(80, y(at), WIDTH - RIGHT, y(at), 'grid')),
    ...yAxis.map((at) => text(72, y(at) + 4, `${at} MB`, 'soft', 'end')),
    ...xAxis.map((at) => text(x(at), bottom + 18, `${at} s`, 'soft', 'middle')),
    line(80, level, WIDTH - RIGHT, level, 'mark'),
    text(WIDTH - RIGHT, level - 6, 'peak of the bare store', 'soft', 'end'),
    ...curves.map(({ samples, kind }) =>
      curve(
        samples.map(([ms, bytes]) => [x(ms / 1000), y(bytes / MIB)]),
        kind,
      ),
    ),
    ...curves.flatMap(({ name, kind }, at) => [
      rect(80 + at * 220, bottom + 36, 12, 12, kind),
      text(98 + at * 220, bottom + 46, name),
    ]),
  ]);
}

function scale(max, from, to) {
  return (value) => from + (value / max) * (to - from);
}
