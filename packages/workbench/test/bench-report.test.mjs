import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { latencyPlot, memoryPlot, targetPlot } from '../src/bench/report/plots.mjs';
import { markdownTable, shown, tableRows, textTable } from '../src/bench/report/table.mjs';

const mib = 1024 * 1024;
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
  assert.is(shown(512 * mib, 'bytes'), '512 MB');
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

table('makes text columns as wide as their widest cell', () => {
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

plots('draws bars in proportion to their target and marks those above it', () => {
  const document = targetPlot([figure, { ...figure, name: 'R&D', value: 200, passed: true }]);
  assert.match(document, /R&amp;D/);
  const bars = document.matchAll(/<path d="M270 [\d.]+l([\d.]+) [^"]*" fill="(#cf222e|#0969da)"/g);
  const [missed, met] = [...bars].map(([, width, fill]) => ({ width: Number(width), fill }));
  assert.equal([missed.fill, met.fill], ['#cf222e', '#0969da']);
  assert.ok(Math.abs(missed.width / met.width - 480 / 200) < 0.02);
});

plots('draws only finite numbers, even from one sample', () => {
  const times = { own: [3], floor: [2] };
  const idle = { keyword: times, semantic: times, hybrid: times };
  const busy = { keyword: [9], semantic: [8], hybrid: [7] };
  const curves = [{ name: 'the tree', samples: [[0, 90 * mib]] }];
  for (const document of [latencyPlot(idle, busy), memoryPlot(curves, 100 * mib)]) {
    assert.not.match(document, /NaN|Infinity|undefined/);
  }
});

plots.run();
