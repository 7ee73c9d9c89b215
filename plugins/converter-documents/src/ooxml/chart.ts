import type { Chart } from '../markdown/chart.js';
import {
  childOf,
  childrenOf,
  descendantsOf,
  elementsOf,
  textOf,
  type XmlElement,
} from '../xml/element.js';
import { readXmlRoot } from '../xml/read.js';
import { formatNumber, kindOfFormat } from '../xlsx/number-formats.js';
import type { Archive } from '../zip/archive.js';

const maxPoints = 10_000;
const maxSeries = 200;

/** Returns the chart in a part, or null if the part is missing or has none. */
export function chartIn(archive: Archive, part: string | undefined): Chart | null {
  if (part === undefined || !part.endsWith('.xml')) return null;
  const root = readXmlRoot(archive, part);
  if (root?.name !== 'chartSpace') return null;
  const data = childOf(root, 'chartData');
  const titles = descendantsOf(root, 'title')
    .map(titleText)
    .filter((text) => text !== '');
  const series = data === undefined ? seriesIn(root) : extendedSeries(root, data);
  return { titles, rows: rowsOf(series.slice(0, maxSeries)) };
}

interface Series {
  readonly name: string;
  /** By index. */
  readonly categories: ReadonlyMap<number, string>;
  readonly values: ReadonlyMap<number, string>;
}

function titleText(title: XmlElement): string {
  const paragraphs = descendantsOf(title, 'p').map((each) =>
    descendantsOf(each, 't').map(textOf).join(''),
  );
  const cached = descendantsOf(title, 'v').map(textOf);
  return [...paragraphs, ...cached].join(' ').trim();
}

function seriesIn(root: XmlElement): Series[] {
  const area = childOf(childOf(root, 'chart'), 'plotArea');
  return descendantsOf(area ?? root, 'ser').map((series) => ({
    name: descendantsOf(childOf(series, 'tx') ?? noElement, 'v')
      .map(textOf)
      .join(' '),
    categories: pointsIn(childOf(series, 'cat') ?? childOf(series, 'xVal')),
    values: pointsIn(childOf(series, 'val') ?? childOf(series, 'yVal')),
  }));
}

const noElement: XmlElement = { name: '', attributes: {}, children: [] };

/** Cached points by index. Points of several levels are joined, the outermost first. */
function pointsIn(source: XmlElement | undefined): ReadonlyMap<number, string> {
  const points = new Map<number, string>();
  if (source === undefined) return points;
  const levels = descendantsOf(source, 'lvl').reverse();
  const caches = levels.length > 0 ? levels : cachesIn(source);
  for (const cache of caches) {
    const code = textOf(childOf(cache, 'formatCode'));
    for (const point of childrenOf(cache, 'pt')) {
      const index = Number(point.attributes['idx']);
      if (!(index >= 0 && index < maxPoints)) continue;
      const text = pointText(textOf(childOf(point, 'v')), code);
      points.set(index, `${points.get(index) ?? ''} ${text}`.trim());
    }
  }
  return points;
}

function cachesIn(source: XmlElement): XmlElement[] {
  return ['strCache', 'numCache', 'strLit', 'numLit'].flatMap((name) =>
    descendantsOf(source, name),
  );
}

function pointText(text: string, code: string): string {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value) || code === '') return text;
  return formatNumber(value, kindOfFormat(code), false);
}

/** Newer kinds of charts store their data before their series. */
function extendedSeries(root: XmlElement, data: XmlElement): Series[] {
  const names = descendantsOf(root, 'series').map((each) =>
    descendantsOf(childOf(each, 'tx') ?? noElement, 'v')
      .map(textOf)
      .join(' '),
  );
  return [...childrenOf(data, 'data')].map((each, at) => ({
    name: names[at] ?? '',
    categories: extendedPoints(childOf(each, 'strDim')),
    values: extendedPoints(childOf(each, 'numDim')),
  }));
}

function extendedPoints(dimension: XmlElement | undefined): ReadonlyMap<number, string> {
  const level = childOf(dimension, 'lvl');
  const points =
    level === undefined ? [] : [...elementsOf(level)].filter(({ name }) => name === 'pt');
  return new Map(
    points.slice(0, maxPoints).map((point) => [Number(point.attributes['idx']), textOf(point)]),
  );
}

function rowsOf(series: readonly Series[]): string[][] {
  const indexes = new Set(series.flatMap(({ values }) => [...values.keys()]));
  const categories = series.find((each) => each.categories.size > 0)?.categories;
  const rows = [...indexes]
    .sort((a, b) => a - b)
    .map((index) => [
      categories?.get(index) ?? String(index + 1),
      ...series.map(({ values }) => values.get(index) ?? ''),
    ]);
  return rows.length === 0 ? [] : [['', ...series.map(({ name }) => name)], ...rows];
}
