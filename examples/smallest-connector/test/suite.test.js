import { readFileSync } from 'node:fs';
import { selectConnectorCases } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import plugin from '../index.js';

const test = suite('smallest connector');

const subject = {
  plugin,
  target: 'hello://world',
  absent: 'klingon.md',
  objects: [
    { path: 'english.md', bytes: Buffer.from('# English\n\nHello, and welcome.\nGoodbye.\n') },
    { path: 'french.md', bytes: Buffer.from('# French\n\nBonjour et bienvenue.\nAu revoir.\n') },
    {
      path: 'more/swahili & co.md',
      bytes: Buffer.from('# Swahili\n\nHabari, karibu.\nKwaheri.\n'),
    },
  ],
};

const { cases, skipped } = await selectConnectorCases(subject);
for (const each of cases) test(each.title, () => each.run(subject));
for (const { id, reason } of skipped) console.log(`skipped: ${id}, ${reason}`);

test('runs all cases that two methods allow', () => {
  assert.ok(cases.length >= 20, `${cases.length} cases`);
});

test('has less than 40 lines and no imports', () => {
  const source = readFileSync(new URL('../index.js', import.meta.url), 'utf8');
  assert.ok(source.trimEnd().split('\n').length < 40);
  assert.not.match(source, /^import|require\(|await import/m);
});

test.run();
