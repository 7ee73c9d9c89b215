// test-timeout: 300
import type { Conversion } from '@trove/core';
import { pluginContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import plugin from '../src/index.js';
import { paintedPage } from '../src/pdf/painted-page.js';
import { textOfWords } from '../src/recognized-text.js';
import { fixture } from './support/files.js';
import { scannedPdf, type PdfImage } from './support/scanned-pdf.js';

const test = suite('ocr');

const create = (languages: string[]) => plugin.create(pluginContext({ config: { languages } }));
const converter = await create(['eng']);
const { signal } = new AbortController();
const convert = (mediaType: string, bytes: Uint8Array): Promise<Conversion> =>
  converter.convert({ bytes, mediaType, signal });

const jpeg = async (): Promise<PdfImage> => ({
  entries: '/Width 1167/Height 723/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode',
  bytes: await fixture('scan.jpg'),
});
const pageTexts = [
  'Report of the harbour master',
  'a cargo of 240 tons of Norwegian',
  'the eastern\nquay until the following morning.',
  'Halvorsen & Sons.',
];

function assertPage({ markdown }: Conversion): void {
  for (const text of pageTexts) assert.ok(markdown.includes(text), `${text} in:\n${markdown}`);
}

for (const [name, mediaType] of [
  ['note.png', 'image/png'],
  ['note.bmp', 'image/bmp'],
  ['note.webp', 'image/webp'],
] as const) {
  test(`reads ${mediaType}`, async () => {
    const { markdown, parts } = await convert(mediaType, await fixture(name));
    assert.is(markdown, 'The pilot noted a strong wind\n');
    assert.is(parts, undefined);
  });
}

test('reads a scanned page despite tilt and grain', async () => {
  assertPage(await convert('image/jpeg', await fixture('scan.jpg')));
});

test('reads each sheet of a fax as a page', async () => {
  const { markdown, parts } = await convert('image/tiff', await fixture('fax.tiff'));
  assert.is(markdown, 'First sheet: the steamship Cormorant\n\nSecond sheet: Norwegian timber\n');
  assert.equal(parts, [
    { line: 1, kind: 'page', number: 1 },
    { line: 3, kind: 'page', number: 2 },
  ]);
});

test('assembles the pages of a PDF from images in any placement', async () => {
  const image = await jpeg();
  const upper = 'q 420 0 0 260 0 0 cm 0 0.5 1 0.5 re W n /I0 Do Q';
  const turned = 'q 0 420 -260 0 260 0 cm /I0 Do Q';
  const { markdown, parts } = await convert(
    'application/pdf',
    scannedPdf([
      { paints: '', images: [] },
      { paints: `${upper} q 1 0 0 1 0 0 cm q 420 0 0 260 0 0 cm /I0 Do Q Q`, images: [image] },
      { paints: turned, images: [image], rotate: 90 },
    ]),
  );
  assert.equal(
    parts?.map(({ number }) => number),
    [2, 3],
  );
  const start = (parts?.[1]?.line ?? 1) - 1;
  const lines = markdown.split('\n');
  assertPage({ markdown: lines.slice(0, start).join('\n') });
  assertPage({ markdown: lines.slice(start).join('\n') });
});

test('paints a stencil black and keeps the rest', async () => {
  const bmp = await fixture('note.bmp');
  // Rows from the bottom up, padded to four bytes, after a header of 62 bytes.
  const [width, height] = [625, 125];
  const row = Math.ceil(width / 32) * 4;
  const bytes = Buffer.concat(
    Array.from({ length: height }, (_, y) => {
      const at = 62 + (height - 1 - y) * row;
      return bmp.subarray(at, at + Math.ceil(width / 8));
    }),
  );
  const entries = `/Width ${width}/Height ${height}/ImageMask true/BitsPerComponent 1`;
  const paints = 'q 300 0 0 60 20 100 cm /I0 Do Q';
  const { markdown } = await convert(
    'application/pdf',
    scannedPdf([{ paints, images: [{ entries, bytes }] }]),
  );
  assert.is(markdown, 'The pilot noted a strong wind\n');
});

test('paints a stencil over other images without its clear parts', () => {
  const place = [48, 0, 0, -48, 0, 48] as const;
  const size = { width: 48, height: 48, place };
  const grey = { ...size, pixels: 'rgb', data: new Uint8Array(48 * 48 * 3).fill(100) } as const;
  // The left half of each row is set, and the right half is clear.
  const halves = Uint8Array.from({ length: 48 * 6 }, (_, at) => (at % 6 < 3 ? 255 : 0));
  const stencil = { ...size, pixels: 'mask', data: halves } as const;
  const bits = { ...size, pixels: 'bits', data: halves } as const;
  const firstRow = (...images: Parameters<typeof paintedPage>[0]) => {
    const painted = paintedPage(images, 48, 48)?.bytes ?? new Uint8Array();
    const row = painted.subarray(painted.length - 48);
    return [row[0], row[23], row[24], row[47]];
  };
  assert.equal(firstRow(grey, stencil), [100, 100, 0, 0]);
  assert.equal(firstRow(stencil), [255, 255, 0, 0]);
  assert.equal(firstRow(grey, bits), [255, 255, 0, 0]);
});

test('rejects pictures without text and files that are not pictures', async () => {
  const png = await fixture('note.png');
  const icon = Buffer.from(png);
  icon.writeUInt32BE(16, 16);
  icon.writeUInt32BE(16, 20);
  const vast = Buffer.from(png);
  vast.writeUInt32BE(60_000, 16);
  vast.writeUInt32BE(60_000, 20);
  const refusals = await Promise.all(
    [icon, vast, png.slice(0, 20), new Uint8Array(300)].map((bytes) =>
      rejection(() => convert('image/png', bytes)),
    ),
  );
  assert.equal(
    refusals.map(({ code }) => code),
    ['document_empty', 'document_too_complex', 'document_damaged', 'document_damaged'],
  );
  assert.match(refusals[1]?.detail ?? '', '60000 × 60000 pixels: more than 40 million');
});

test('says what to install for a language without data', async () => {
  const error = await rejection(async () => create(['eng', 'tlh']));
  assert.is(error.code, 'not_available');
  assert.match(error.suggestions.join(), 'npm install @tesseract.js-data/tlh');
});

test('drops uncertain words and rejoins hyphenated ones', () => {
  const word = (paragraph: number, line: number, confidence: number, text: string): string =>
    ['5', '1', '1', paragraph, line, '1', '0', '0', '9', '9', confidence, text].join('\t');
  const tsv = [
    'level\tpage_num',
    word(1, 1, 95, 'A'),
    word(1, 1, 12, '~|'),
    word(1, 1, 95, 'hyphen-'),
    word(1, 2, 90, 'ated'),
    word(1, 2, 91, 'word'),
    word(2, 1, 31, 'noise'),
    word(2, 1, 40, 'ofa'),
    word(3, 1, 90, '#'),
    word(3, 1, 90, 'one'),
    word(4, 1, 93, '—'),
  ].join('\n');
  assert.is(textOfWords(tsv), 'A hyphenated\nword\n\n\\# one');
});

test.run();
