import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { renderMan, renderReference } from '../src/pages/index.js';
import { sample } from './support/sample.js';

const test = suite('the reference page and the manual');

test('list every command, including lazy ones', async () => {
  const reference = await renderReference(sample(), 'npm run docs', ['## Paths\n\nA chapter.\n']);
  const man = await renderMan(sample(), [{ title: 'FILES', rows: [['f', 'A file']] }]);
  for (const name of ['find', 'search', 'job show', 'completion']) {
    assert.ok(reference.includes(`\n## sample ${name}\n`), name);
    assert.ok(man.includes(`\n.SS sample ${name}\n`), name);
  }
  assert.ok(reference.startsWith('# The `sample` command\n\n<!-- Generated'));
  assert.match(reference, '| `-m, --max-count N` | At most N lines |');
  assert.match(reference, 'Find lines. The same as `sample find`.');
  assert.match(man, /^\.TH SAMPLE 1 "" "sample 1\.2\.3" "sample"\n/);
  assert.match(man, '\\-\\-max\\-count');
  assert.match(man, "'a\\ew' ./src");
  assert.match(man, '.SH FILES\n.TP\n.B f\nA file\n');
});

test.run();
