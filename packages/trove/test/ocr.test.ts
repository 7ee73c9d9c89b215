// test-timeout: 300
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTrove, resolveSettings } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejection } from '@trove/test-support/rejection.js';
import { engineOptions } from '../src/engine-options.js';

const test = suite<{ folder: string }>('[ocr]');

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'trove-ocr-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

const scan = new URL('../../../plugins/converter-ocr/test/fixtures/scan.jpg', import.meta.url);
const settings = { ocr: { enabled: true } };

test('finds a scan by its text when OCR is enabled', async ({ folder }) => {
  const docs = join(folder, 'docs');
  await mkdir(docs);
  await copyFile(scan, join(docs, 'scan.jpg'));
  const home = join(folder, 'home');
  const leftOut: number[] = [];
  for (const given of [{}, settings]) {
    const trove = await createTrove({ home, settings: given, appRoots: [import.meta.url] });
    try {
      const { job_id: id } = await trove.add({ target: docs, process: true });
      leftOut.push((await trove.job(id)).left_out);
      if (given !== settings) continue;
      const [hit] = (await trove.search({ q: 'Norwegian timber' })).results;
      assert.is(hit?.source, `file://local${docs}/scan.jpg`);
      assert.is(hit?.metadata.media_type, 'image/jpeg');
      const { content } = await trove.cat({ path: `${docs}/scan.jpg`, range: '3:3' });
      assert.is(content, 'On the twelfth of March the steamship Cormorant\n');
    } finally {
      await trove.close();
    }
  }
  assert.equal(leftOut, [1, 0]);
});

test('without the OCR plugin, the error names the install command', async ({ folder }) => {
  const appRoots = [join(folder, 'package.json')];
  const error = await rejection(() =>
    createTrove({ home: join(folder, 'home'), settings, appRoots }),
  );
  assert.is(error.code, 'not_available');
  assert.equal(error.suggestions, [`npm install --prefix ${folder} @trove/converter-ocr`]);
});

test('a converter of the operator takes precedence', () => {
  const resolved = resolveSettings(
    { ocr: { enabled: true, languages: ['deu'] }, plugins: { 'image/png': 'my-recogniser' } },
    { home: '/home/of/nobody' },
  );
  const { pluginPackages, pluginConfig, requiredConverters } = engineOptions(resolved);
  assert.is(pluginPackages?.['converter:image/png'], 'my-recogniser');
  assert.is(pluginConfig?.['converter:image/png'], undefined);
  assert.equal(pluginConfig?.['converter:image/jpeg'], { languages: ['deu'] });
  assert.ok(requiredConverters?.includes('application/pdf;scanned'));
  assert.not.ok(requiredConverters?.includes('image/png'));
});

test.run();
