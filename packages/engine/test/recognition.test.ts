import { defineConverter, TroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import pages from './support/page-converter.mjs';
import { found, root, sync } from './support/engine.js';
import { SummaryWorld } from './support/summaries.js';

const test = suite<{ world: SummaryWorld; engine: Engine | null }>('recognised texts');

test.before.each((context) => {
  context.world = new SummaryWorld();
  context.engine = null;
});
test.after.each(async ({ engine }) => {
  await engine?.close();
});

const png = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 1]);
const blank = Uint8Array.from([...png, 0, 0]);

/** Recognises a zebra in every scan and a heron in every image except the blank one. */
const recogniser = defineConverter({
  keys: ['application/pdf;scanned', 'image/png'],
  configSchema: { type: 'object' },
  create: () => ({
    version: 'recogniser 1',
    convert: async ({ mediaType, bytes }) => {
      if (bytes.length === blank.length) throw new TroveError('document_empty', 'Nothing is seen.');
      return { markdown: mediaType === 'image/png' ? 'a heron\n' : `a zebra (${mediaType})\n` };
    },
  }),
});

test('documents without text go to the converter for scans', async (context) => {
  const { world } = context;
  world.source.set('scan.pdf', '%PDF- \n ');
  world.source.set('locked.pdf', '%PDF-encrypted');
  world.source.set('text.pdf', '%PDF-bamboo');
  context.engine = await world.open({ plugins: [pages] });
  assert.is((await sync(context.engine)).left_out, 1);
  await context.engine.close();

  context.engine = await world.open({ plugins: [pages, recogniser] });
  const job = await sync(context.engine);
  assert.is(job.left_out, 0);
  assert.equal(
    job.failures.map(({ path, code }) => [path, code]),
    [['locked.pdf', 'document_encrypted']],
  );
  assert.equal(await found(context.engine, 'zebra'), [`${root}/scan.pdf`]);
  const { content } = await context.engine.cat({ path: `${root}/scan.pdf` });
  assert.is(content, 'a zebra (application/pdf)\n');
  assert.is((await context.engine.cat({ path: `${root}/text.pdf` })).content, 'bamboo\n\n');
  assert.is((await sync(context.engine)).unchanged, 2);
});

test('an image is found by its recognised text and its description', async (context) => {
  const { world } = context;
  world.source.set('photo.png', png);
  world.source.set('blank.png', blank);
  const engine = await world.openSummarizing({
    plugins: [...world.plugins(), recogniser],
    summary: { enabled: false },
    description: { enabled: true },
  });
  context.engine = engine;
  assert.is((await sync(engine)).summaries, 2);
  assert.equal(await found(engine, 'heron'), [`${root}/photo.png`]);
  const { results } = await engine.search({ q: 'gist', kind: 'vlm_description' });
  assert.equal(
    results.map(({ source, content }) => `${source.slice(root.length + 1)}: ${content}`).sort(),
    ['blank.png: the gist of image/png of 19', 'photo.png: the gist of image/png of 17'],
  );
  const grep = await engine.grep({ pattern: 'heron' });
  assert.equal(
    grep.results.map(({ source, content }) => [source, content]),
    [[`${root}/photo.png`, 'a heron']],
  );
});

test('an engine without a required converter does not open', async ({ world }) => {
  const open = () => world.open({ plugins: [pages], requiredConverters: ['image/png'] });
  assert.is((await rejection(open)).code, 'not_available');
});

test.run();
