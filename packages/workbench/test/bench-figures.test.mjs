import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { figuresOf } from '../src/bench/figures.mjs';
import { median, p95, quantile } from '../src/bench/statistics.mjs';

const mib = 1024 * 1024;
const statistics = suite('statistics');

statistics('the median of an odd and of an even number of values', () => {
  assert.is(median([9, 1, 5]), 5);
  assert.is(median([4, 1, 3, 2]), 2.5);
});

statistics('a quantile lies between two values, in proportion', () => {
  assert.is(quantile([0, 10], 0.25), 2.5);
  assert.is(quantile([7], 0.95), 7);
  assert.is(p95(Array.from({ length: 101 }, (_, at) => at)), 95);
});

statistics('leaves the values in their order', () => {
  const values = [3, 1, 2];
  median(values);
  assert.equal(values, [3, 1, 2]);
});

statistics('no value has no quantile', () => {
  assert.throws(() => median([]), /no value/);
});

statistics.run();

const figures = suite('figures');

function results(changes = {}) {
  const times = { own: [10, 10, 10], floor: [4, 4, 4] };
  const run = { ms: 3000, memory: { peak: 700 * mib, samples: [] } };
  return {
    indexing: [run, { ...run, ms: 2000 }, { ...run, ms: 9000 }],
    bare: [{ ms: 1000, maxRssBytes: 500 * mib }],
    large: { memory: { peak: 710 * mib } },
    idle: { keyword: times, semantic: times, hybrid: times },
    filter: [250],
    busy: { keyword: [29], semantic: [31], hybrid: [30] },
    resync: { ms: 90, floorMs: 30 },
    change: { ms: 400 },
    back: { ms: 1400 },
    small: { hybrid: { own: [11] } },
    textBytes: 100 * mib,
    space: { rows: 200 * mib, text: 60 * mib, vectors: 20 * mib, other: mib },
    rest: { space: { rows: 330 * mib }, memory: 399 * mib },
    install: 340e6,
    grep: { ms: 200, floorMs: 50, ripgrep: '13.0.0' },
    ...changes,
  };
}

function named(all, name) {
  const found = all.find((figure) => figure.name === name);
  assert.ok(found, name);
  return found;
}

figures('compares the median of the runs with three times the floor', () => {
  const { value, ratio, limit, passed } = named(figuresOf(results()), 'indexing, cold');
  assert.equal(
    { value, ratio, limit, passed },
    { value: 3000, ratio: 3, limit: 3000, passed: true },
  );
  const missed = results({ bare: [{ ms: 999, maxRssBytes: mib }] });
  assert.not(named(figuresOf(missed), 'indexing, cold').passed);
});

figures('allows 300 MB above the bare store', () => {
  const { limit, passed } = named(figuresOf(results()), 'indexing, peak memory');
  assert.equal({ limit, passed }, { limit: 800 * mib, passed: true });
});

figures('leaves out the large tree when it was not measured', () => {
  const without = figuresOf(results({ large: undefined }));
  assert.is(without.length, figuresOf(results()).length - 1);
});

figures('allows a search twice the index query and three milliseconds', () => {
  const { limit, passed } = named(figuresOf(results()), 'search, hybrid, p95');
  assert.equal({ limit, passed }, { limit: 11, passed: true });
});

figures('compares searches during indexing with idle ones', () => {
  const all = figuresOf(results());
  const verdicts = ['keyword', 'semantic', 'hybrid'].map(
    (mode) => named(all, `search, ${mode}, p95 while indexing`).passed,
  );
  assert.equal(verdicts, [true, false, true]);
});

figures('compares removed and returned files with the first indexing', () => {
  const { ratio, passed } = named(figuresOf(results()), 'a third deleted and added again');
  assert.equal({ ratio, passed }, { ratio: 1400 / 3000, passed: true });
});

figures('limits searches of a small tree to the time in the large tree', () => {
  const name = 'search, hybrid, p95 in a quarter of the tree';
  assert.ok(named(figuresOf(results()), name).passed);
  const slower = results({ small: { hybrid: { own: [11.1] } } });
  assert.not(named(figuresOf(slower), name).passed);
  assert.not(figuresOf(results({ small: undefined })).some((figure) => figure.name === name));
});

figures('compares the index with its text, and a later index with the first', () => {
  const all = figuresOf(results());
  assert.is(named(all, 'size of the index').ratio, 2.81);
  const later = named(all, 'size of the index, a minute after syncs and a removal');
  assert.equal([later.ratio > 1.17, later.passed], [true, true]);
});

figures('limits idle memory and the size of an installation', () => {
  const all = figuresOf(results({ install: 351e6 }));
  assert.ok(named(all, 'memory, a minute after load').passed);
  assert.not(named(all, 'npm install trove').passed);
});

figures('compares grep with a fixed time without ripgrep', () => {
  const grep = { ms: 240, floorMs: 400, ripgrep: undefined };
  const { limit, passed } = named(figuresOf(results({ grep })), 'grep of a literal');
  assert.equal({ limit, passed }, { limit: 237, passed: false });
});

figures.run();
