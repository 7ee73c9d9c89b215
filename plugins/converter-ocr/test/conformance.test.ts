// test-timeout: 600
import type { Converter } from '@trove/core';
import { converterCases, pluginContext } from '@trove/testkit';
import { suite } from 'uvu';

import plugin from '../src/index.js';
import { fixture } from './support/files.js';
import { scannedPdf } from './support/scanned-pdf.js';

const test = suite('ocr: what every converter must do');

const create = async (): Promise<Converter> =>
  plugin.create(pluginContext({ config: { languages: ['eng'] } }));

const note = ['The pilot noted', 'a strong wind'];
const pictures = [
  { mediaType: 'image/png', bytes: await fixture('note.png'), texts: note },
  { mediaType: 'image/tiff', bytes: await fixture('fax.tiff'), texts: ['First sheet', 'Second'] },
] as const;
const empty = { mediaType: 'application/pdf', bytes: scannedPdf([{ paints: '', images: [] }]) };

for (const { title, run } of converterCases)
  test(title, () => run({ create, samples: pictures, empty }));

test.run();
