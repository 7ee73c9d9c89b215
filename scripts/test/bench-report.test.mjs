import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { latencyPlot, memoryPlot, targetPlot } from '../bench/report/plots.mjs';
import { svg, text, ticks } from '../bench/report/svg.mjs';
import { markdownTable, shown, tableRows, textTable } from '../bench/report/table.mjs';

const MIB = 1024 * 1024;
const figure = {
  name: 'grep of a literal',
  unit: 'ms',
  value: 480,
  floorName: 'ripgrep',
  floor: 80,
  ratio: 6,
  target: '≤ 5 ×',
  limit: 400,
  passed: false,
};

const table = suite('table');

table('shows values in the unit that people read', () => {
  assert.is(shown(12_345, 'ms'), '12.3 s');
  assert.is(shown(480.4, 'ms'), '480 ms');
  assert.is(shown(2.34, 'ms'), '2.3 ms');
  assert.is(shown(512 * MIB, 'bytes'), '512 MB');
  assert.is(shown(null, 'ms'), '–');
});

table('a figure is a row, and a missed target stands out', () => {
  const [, row] = tableRows([figure]);
  assert.equal(row, [
    'grep of a literal',
    '480 ms',
    '80.0 ms (ripgrep)',
    '6.00 ×',
    '≤ 5 ×',
    'MISS',
  ]);
});

table('a figure without a floor has no ratio', () => {
  const [, row] = tableRows([{ ...figure, floor: null, ratio: null, passed: true }]);
  assert.equal(row.slice(2, 4), ['–', '–']);
});

table('Markdown cells keep their bars to themselves', () => {
  assert.is(
    markdownTable([
      ['a', 'b'],
      ['x|y', 'z'],
    ]),
    '| a | b |\n| --- | --- |\n| x\\|y | z |',
  );
});

table('columns of text are as wide as their widest cell', () => {
  assert.is(
    textTable([
      ['a', 'b'],
      ['long', 'c'],
    ]),
    'a     b\nlong  c',
  );
});

table.run();

const plots = suite('plots');

plots('an axis has round steps and reaches its maximum', () => {
  assert.equal(ticks(97), [0, 20, 40, 60, 80, 100]);
  assert.equal(ticks(0.3), [0, 0.1, 0.2, 0.3]);
  assert.equal(ticks(0), [0, 1]);
});

plots('text is escaped, and a document knows both colour schemes', () => {
  const document = svg(10, 10, 'a < b', [text(1, 2, 'R&D')]);
  assert.match(document, /<title>a &lt; b<\/title>/);
  assert.match(document, />R&amp;D</);
  assert.match(document, /prefers-color-scheme: dark/);
});

plots('a bar ends where its share of the target is, and is marked when that is over', () => {
  const document = targetPlot([figure, { ...figure, value: 200, passed: true }]);
  const bars = [...document.matchAll(/width="([\d.]+)" height="18" class="(\w+)"/g)];
  const [missed, met] = bars.map(([, width, kind]) => ({ width: Number(width), kind }));
  assert.equal([missed.kind, met.kind], ['bad', 'a']);
  assert.ok(Math.abs(missed.width / met.width - 480 / 200) < 0.02);
});

plots('every plot is finite numbers, also with one sample', () => {
  const times = { own: [3], floor: [2] };
  const idle = { keyword: times, semantic: times, hybrid: times };
  const busy = { keyword: [9], semantic: [8], hybrid: [7] };
  const curves = [{ name: 'the tree', samples: [[0, 90 * MIB]], kind: 'a' }];
  for (const document of [latencyPlot(idle, busy), memoryPlot(curves, 100 * MIB)]) {
    assert.not.match(document, /NaN|Infinity|undefined/);
  }
});

plots.run();
