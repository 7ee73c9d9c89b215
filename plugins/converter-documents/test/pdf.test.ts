import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';
import { lines, pdf, type PdfPage } from './support/pdf.js';

const test = suite('PDF → Markdown');

const type = 'application/pdf';
const made = async (...pages: readonly PdfPage[]) => convert(type, pdf(pages));

test('joins lines to paragraphs and rejoins hyphenated words', async () => {
  const { markdown } = await made({
    texts: [
      ...lines(
        50,
        700,
        10,
        'The first paragraph is long enough to be bro-',
        'ken at its end, and goes on here until it',
        'ends.',
      ),
      ...lines(
        50,
        640,
        10,
        'The second one begins after a gap, and the',
        'well-known rest of it follows.',
      ),
    ],
  });
  assert.is(
    markdown,
    'The first paragraph is long enough to be broken at its end, and goes on here until it ends.\n\n' +
      'The second one begins after a gap, and the well-known rest of it follows.\n',
  );
});

test('reads lines in larger letters as headings', async () => {
  const text = 'Some text of the usual size, of which there is more than of anything else.';
  const { markdown, title } = await convert(
    type,
    pdf(
      [
        {
          texts: [
            ...lines(50, 700, 24, 'Title'),
            ...lines(50, 650, 14, '1. Part'),
            ...lines(50, 620, 10, text),
          ],
        },
      ],
      {
        title: 'A report',
      },
    ),
  );
  assert.is(markdown, `# Title\n\n## 1. Part\n\n${text}\n`);
  assert.is(title, 'A report');
});

test('reads columns one after the other and keeps short lines', async () => {
  const { markdown } = await made({
    texts: [
      ...lines(50, 700, 10, 'The left column has text that goes on to', 'the right'),
      ...lines(320, 700, 10, 'column, where it ends.'),
      ...lines(50, 400, 10, 'To:', 'A. Person', 'Somewhere'),
    ],
  });
  assert.is(
    markdown,
    'The left column has text that goes on to the right\ncolumn, where it ends.\n\nTo:\nA. Person\nSomewhere\n',
  );
});

test('reads gaps as spaces, marks as list items and doubly drawn text once', async () => {
  const { markdown } = await made({
    texts: [
      { text: 'Item', x: 50, y: 700 },
      { text: 'Price', x: 200, y: 700 },
      { text: 'Bold', x: 50, y: 600 },
      { text: 'Bold', x: 50.5, y: 600 },
      ...lines(50, 500, 10, '\\267 one', '\\267 two'),
    ],
  });
  assert.is(markdown, 'Item Price\n\nBold\n\n- one\n- two\n');
});

test('reads each page as a part and repeated edge lines once', async () => {
  const page = (number: number) => ({
    texts: [
      ...lines(50, 780, 8, `Annual report ${number}`),
      ...lines(50, 700, 10, `The ${String(number).repeat(5)}`, `${'abcdef'[number]} text`, 'ends'),
    ],
  });
  const { markdown, parts } = await made(page(1), page(2), {}, page(4), page(5));
  assert.is(markdown.match(/Annual/g)?.length, 1);
  assert.is(markdown.match(/The \d{5} /g)?.length, 4);
  assert.equal(
    parts?.map(({ kind, number }) => [kind, number]),
    [1, 2, 4, 5].map((number) => ['page', number]),
  );
  for (const { line, number } of parts ?? []) {
    const text = markdown
      .split('\n')
      .slice(line - 1, line + 2)
      .join('\n');
    assert.match(text, new RegExp(`^(?:Annual report 1\n\n)?The ${number}`));
  }
});

test('reads links, filled-in fields and notes', async () => {
  const { markdown } = await made({
    texts: [
      { text: 'See ', x: 50, y: 700 },
      { text: 'the page', x: 70, y: 700 },
    ],
    annotations: [
      '<</Type/Annot/Subtype/Link/Rect[68 695 120 712]/A<</S/URI/URI(https://a.example/)>>>>',
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(n)/TU(Name)/V(Ann)/Rect[50 600 90 610]>>',
      ...['50 500 90 510', '50 400 90 410'].map(
        (place) =>
          `<</Type/Annot/Subtype/Widget/FT/Ch/Ff 131072/T(c)/TU(Colour)/Opt[[(r)(Red)][(b)(Blue)]]/V(b)/Rect[${place}]>>`,
      ),
      '<</Type/Annot/Subtype/Text/Rect[50 500 60 510]/T(Bob)/Contents(Really?)>>',
    ],
  });
  assert.is(
    markdown,
    'See [the page](https://a.example/)\n\n- Name: Ann\n- Colour: Blue\n\n> Bob: Really?\n',
  );
});

test('reads Chinese, Japanese and Korean without font tables in the file', async () => {
  const read = async (ordering: string, encoding: string, text: string) => {
    const descendant = `<</Type/Font/Subtype/CIDFontType0/BaseFont/X/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4>>/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>>>`;
    const font = `<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/${encoding}/DescendantFonts[${descendant}]>>`;
    const { markdown } = await convert(type, pdf([{ texts: lines(50, 700, 10, text) }], { font }));
    return markdown.trim();
  };
  assert.is(await read('Japan1', '90ms-RKSJ-H', String.raw`\202\240A\202\242`), 'あAい');
  assert.is(await read('Japan1', 'H', String.raw`\044\042\106\174`), 'あ日');
  assert.is(await read('GB1', 'GBK-EUC-H', String.raw`\326\320\316\304`), '中文');
  assert.is(await read('CNS1', 'ETen-B5-H', String.raw`\244\244\244\345`), '中文');
  assert.is(await read('Korea1', 'UniKS-UCS2-H', String.raw`\325\134\256\000`), '한글');
  // Glyph numbers, of which the last has no known character.
  assert.is(
    await read('Japan1', 'Identity-H', String.raw`\003\113\000\042\004\145\077\377`),
    'あA亜\n\n> 1 letter of the font X has no Unicode value and was left out.',
  );
  assert.is(await read('GB1', 'Identity-H', String.raw`\003\254\036\026`), '啊齄');
  assert.is(await read('Korea1', 'Identity-H', String.raw`\004\076`), '가');
});

/** A font with ASCII codes and different letters for some of them. */
const lettersOf = (letters: Readonly<Record<string, string>>) => ({
  toUnicode: Array.from({ length: 95 }, (_, i) => {
    const letter = String.fromCharCode(32 + i);
    return [(32 + i).toString(16), letters[letter] ?? letter] as const;
  }),
});

test('reads the letters of a ligature in order in right-to-left text', async () => {
  // Pages show letters from left to right.
  const read = async (text: string, letters: Readonly<Record<string, string>>) =>
    (await convert(type, pdf([{ texts: lines(50, 700, 10, text) }], lettersOf(letters)))).markdown;
  const arabic = { A: 'ا', B: 'لا', C: 'ت', D: 'ف', E: 'ق', L: 'ل', M: 'م', S: 'س' };
  assert.is(await read('EADCBA', arabic), 'الاتفاق\n');
  assert.is(await read('MBS MBSLA', arabic), 'السلام سلام\n');
  assert.is(await read('2024 MBS (pdf) MBS', arabic), 'سلام (pdf) سلام 2024\n');
  assert.is(
    await read('some words and text with MBS MBSLA in it', arabic),
    'some words and text with السلام سلام in it\n',
  );
  assert.is(await read('MBS', { ...arabic, B: 'ال' }), 'سلام\n');
  assert.is(await read('MBS', { M: 'ﻡ', B: 'ﻼ', S: 'ﺳ' }), 'سلام\n');
});

test('separates right-to-left words from Latin words and digits', async () => {
  const words = [
    { text: 'EDCBA', x: 300 },
    { text: 'pdf', x: 270 },
    { text: '2024', x: 230 },
    { text: 'FED', x: 200 },
    { text: 'CBA', x: 170 },
  ];
  const hebrew = { A: 'א', B: 'ב', C: 'ג', D: 'ד', E: 'ה', F: 'ו' };
  const read = async (...placed: readonly { text: string; x: number }[]) => {
    const texts = placed.map((each) => ({ ...each, y: 700 }));
    return (await convert(type, pdf([{ texts }], lettersOf(hebrew)))).markdown;
  };
  const expected = 'אבגדה 2024 pdf דהו אבג\n';
  assert.is(await read(...words), expected);
  assert.is(await read(...words.toReversed()), expected);
  // Pages show brackets mirrored.
  assert.is(await read({ text: '(x) [CBA] FED', x: 50 }), 'דהו [אבג] (x)\n');
  // Columns of a table.
  const columns = [
    { text: 'CBA', x: 500 },
    { text: '12', x: 300 },
    { text: '34', x: 100 },
  ];
  assert.is(await read(...columns), 'אבג 12 34\n');
  const english = [
    { text: 'See some of the words', x: 20 },
    { text: 'FED', x: 130 },
    { text: 'CBA', x: 160 },
    { text: 'there', x: 190 },
  ];
  assert.is(await read(...english), 'See some of the words אבג דהו there\n');
});

test('leaves out letters without Unicode values and reports them', async () => {
  const descendant =
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+Coded/FontDescriptor<</Type/FontDescriptor/FontName/ABCDEF+Coded/Flags 4>>/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>';
  const coded = `<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Coded/Encoding/Identity-H/DescendantFonts[${descendant}]>>`;
  const named =
    '<</Type/Font/Subtype/Type1/BaseFont/Named/Encoding<</Differences[65/g7/B/g9 97/a97/alpha]>>>>';
  const page = {
    texts: [
      { text: 'Known text', x: 50, y: 700 },
      { text: String.raw`\000A\000B`, x: 50, y: 600, font: 'G' },
      { text: 'xABCab', x: 50, y: 500, font: 'H' },
    ],
  };
  const { markdown } = await convert(type, pdf([page, page], { fonts: { G: coded, H: named } }));
  assert.is(
    markdown,
    'Known text\n\nxBaα\n\nKnown text\n\nxBaα\n\n' +
      '> 4 letters of the font Coded have no Unicode values and were left out.\n\n' +
      '> 4 letters of the font Named have no Unicode values and were left out.\n',
  );
  const partly = pdf([{ texts: lines(50, 700, 10, String.raw`\000A\000B\000A`) }], {
    font: coded,
    toUnicode: [['0042', 'ß']],
  });
  assert.is(
    (await convert(type, partly)).markdown,
    'ß\n\n> 2 letters of the font Coded have no Unicode values and were left out.\n',
  );
  const nothing = pdf([{ texts: lines(50, 700, 10, String.raw`\000A`) }], { font: coded });
  const { code, message } = await refusal(convert(type, nothing));
  assert.is(code, 'document_empty');
  assert.match(message, /1 letter of the font Coded has no Unicode value and was left out/);
});

test('rejects a PDF without text, with a password, or with other bytes', async () => {
  const scanned = await refusal(made({}, {}));
  assert.is(scanned.code, 'document_empty');
  assert.match(scanned.message, /None of its 2 pages has text: they are scanned/);
  const key = 'x'.repeat(32);
  const locked = pdf([{ texts: lines(0, 0, 10, 'secret') }], {
    trailer: `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O(${key})/U(${key})>>`,
  });
  assert.is((await refusal(convert(type, locked))).code, 'document_encrypted');
  for (const bytes of [Buffer.from('%PDF-1.7'), Buffer.from('<html>')]) {
    assert.is((await refusal(convert(type, bytes))).code, 'document_damaged');
  }
  assert.is((await refusal(convert(type, new Uint8Array()))).code, 'document_empty');
});

test('reads a truncated PDF as far as possible and keeps the given bytes', async () => {
  const whole = pdf([
    { texts: lines(50, 700, 10, 'Some text') },
    { texts: lines(50, 700, 10, 'More') },
  ]);
  const outcome = async (bytes: Uint8Array) =>
    convert(type, bytes).then(
      ({ markdown }) => markdown,
      (error: unknown) => (error instanceof TroveError ? error.code : String(error)),
    );
  for (let length = 10; length < whole.length; length += 37) {
    assert.match(await outcome(whole.subarray(0, length)), /^(?:Some text|More|document_)/);
  }
  for (let at = 9; at < whole.length; at += 41) {
    const changed = Uint8Array.from(whole);
    changed[at] = 0;
    assert.not.match(await outcome(changed), /Error/);
  }
  assert.is(await outcome(whole), 'Some text\n\nMore\n');
  assert.is(Buffer.from(whole).toString('latin1', 0, 5), '%PDF-');
});

test('limits the text of a page that draws without end', async () => {
  const texts = Array.from({ length: 130_000 }, (_, i) => ({
    text: 'ab',
    x: (i * 20) % 500,
    y: 700 - (Math.floor(i / 25) % 50) * 12,
  }));
  const { markdown } = await convert(type, pdf([{ texts }]));
  const words = markdown.match(/ab/g)?.length ?? 0;
  assert.ok(words > 40_000 && words <= 100_000, String(words));
});

test('splits a paragraph at the maximum length', async () => {
  const texts = Array.from({ length: 4000 }, (_, i) => ({
    text: 'words of a line, ',
    x: 50,
    y: 790 - i * 0.18,
    size: 0.15,
  }));
  const { markdown } = await convert(type, pdf([{ texts }]));
  const longest = Math.max(...markdown.split('\n\n').map(({ length }) => length));
  assert.ok(longest > 10_000 && longest < 40_000, String(longest));
});

test.run();
