import { init } from 'echarts';

import { quantile } from '../statistics.mjs';
import { shownRatio } from './table.mjs';

const plotWidth = 760;
const rowHeight = 26;
const growthHeight = 420;
const mib = 1024 * 1024;
const colors = { a: '#0969da', b: '#bf8700', bad: '#cf222e', ink: '#1f2328', soft: '#656d76' };

/** Draws a bar per figure: the measured value as a share of its target. */
export function targetPlot(figures) {
  return render('Each figure as a share of its target (less is better)', rowsHeight(figures), {
    grid: { left: 270, right: 60, top: 48, bottom: 40 },
    xAxis: {
      type: 'value',
      min: 0,
      axisLabel: { formatter: (share) => `${Math.round(share * 100)} %` },
    },
    yAxis: names(figures),
    series: [
      {
        type: 'bar',
        data: figures.map(({ value, limit, ratio, passed }) => ({
          value: value / limit,
          itemStyle: { color: passed ? colors.a : colors.bad },
          label: { show: ratio !== null, formatter: ratio === null ? '' : shownRatio(ratio) },
        })),
        label: { position: 'right', color: colors.soft },
        markLine: mark({ xAxis: 1 }),
      },
    ],
  });
}

/** Draws the search times of each mode, idle and during indexing: 5th to 95th percentile, and median. */
export function latencyPlot(idle, busy) {
  const bars = Object.keys(idle).flatMap((mode) => [
    { name: `${mode}, bare index`, times: idle[mode].floor, color: colors.b },
    { name: `${mode}, idle`, times: idle[mode].own, color: colors.a },
    { name: `${mode}, while indexing`, times: busy[mode], color: colors.a },
  ]);
  return render('Search latency: 5th to 95th percentile, median marked', rowsHeight(bars), {
    grid: { left: 180, right: 30, top: 48, bottom: 40 },
    xAxis: { type: 'value', min: 0, axisLabel: { formatter: '{value} ms' } },
    yAxis: names(bars),
    series: [
      {
        type: 'boxplot',
        // A box from the 5th to the 95th percentile. The whiskers end with it.
        data: bars.map(({ times, color }) => {
          const [low, middle, high] = [0.05, 0.5, 0.95].map((at) => quantile(times, at));
          return {
            value: [low, low, middle, high, high],
            itemStyle: { color: `${color}55`, borderColor: color },
          };
        }),
        boxWidth: [8, 14],
      },
    ],
  });
}

/** Draws the resident memory of the server during indexing. `curves` is `[{ name, samples }]`. */
export function memoryPlot(curves, barePeak) {
  return render('Resident memory of the server and its helper while indexing', 400, {
    color: [colors.a, colors.b],
    legend: { bottom: 6, left: 80 },
    grid: { left: 80, right: 30, top: 48, bottom: 70 },
    xAxis: { type: 'value', min: 0, axisLabel: { formatter: '{value} s' } },
    yAxis: {
      type: 'value',
      min: 0,
      max: ({ max }) => Math.max(max, Math.ceil(barePeak / mib)),
      axisLabel: { formatter: '{value} MB' },
    },
    series: curves.map(({ name, samples }, at) => ({
      type: 'line',
      name,
      showSymbol: false,
      data: samples.map(([ms, bytes]) => [ms / 1000, bytes / mib]),
      ...(at === 0 ? { markLine: mark({ yAxis: barePeak / mib }, 'peak of the bare store') } : {}),
    })),
  });
}

/** Draws nDCG@10 of each collection with a bar per mode. `rows` is `[{ collection, mode, mean: { ndcg } }]`. */
export function qualityPlot(rows) {
  const collections = [...new Set(rows.map(({ collection }) => collection))];
  const modes = [...new Set(rows.map(({ mode }) => mode))];
  const height = rowsHeight({ length: rows.length + collections.length });
  return render('nDCG@10 (more is better)', height, {
    color: [colors.a, colors.b, colors.soft],
    legend: { bottom: 6 },
    grid: { left: 180, right: 60, top: 48, bottom: 60 },
    xAxis: { type: 'value', min: 0, max: 1 },
    yAxis: names(collections.map((name) => ({ name }))),
    series: modes.map((mode) => ({
      type: 'bar',
      name: mode,
      data: collections.map(
        (collection) =>
          rows.find((row) => row.collection === collection && row.mode === mode)?.mean.ndcg ?? 0,
      ),
      label: { show: true, position: 'right', formatter: ({ value }) => value.toFixed(3) },
    })),
  });
}

/** Draws values over the number of chunks, both logarithmic. `curves` is `[{ name, isFloor, points: [[chunks, value]] }]`. */
export function growthPlot(title, curves, unit) {
  return render(title, growthHeight, {
    legend: { bottom: 6 },
    grid: { left: 90, right: 30, top: 48, bottom: 90 },
    xAxis: { type: 'log', name: 'chunks', nameLocation: 'middle', nameGap: 28 },
    yAxis: { type: 'log', axisLabel: { formatter: `{value} ${unit}` } },
    series: curves.map(({ name, isFloor, points }) => ({
      type: 'line',
      name,
      data: points,
      lineStyle: { type: isFloor ? 'dashed' : 'solid' },
    })),
  });
}

/** Renders an SVG document on a white ground, readable in light and dark pages. */
function render(title, height, option) {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: plotWidth, height });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: { text: title, textStyle: { fontSize: 14, color: colors.ink } },
    ...option,
  });
  const document = chart.renderToSVGString();
  chart.dispose();
  return `${document}\n`;
}

/** One row per item, the first one on top. */
function names(items) {
  return {
    type: 'category',
    inverse: true,
    data: items.map(({ name }) => name),
    axisTick: { show: false },
    axisLabel: { color: colors.ink },
  };
}

function mark(place, name = '') {
  return {
    symbol: 'none',
    silent: true,
    lineStyle: { type: 'dashed', color: colors.soft },
    label: { formatter: name, position: 'insideEndTop' },
    data: [place],
  };
}

function rowsHeight(rows) {
  return 88 + rows.length * rowHeight;
}
