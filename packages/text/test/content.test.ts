import { createHash } from 'node:crypto';
import {
  decodeBytes,
  decodeStream,
  decodeText,
  lineAt,
  lineStarts,
  NotTextError,
  sliceLines,
  sniff,
} from '@trove/text/encodings';
import { kindOf, mediaTypeOf } from '@trove/text/media-types';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const content = suite('content');
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const utf16 = (text: string, bigEndian = false): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const textOf = (bytes: Uint8Array): [string, string] | null => {
  const decoded = decodeText(bytes);
  return decoded === null ? null : [decoded.encoding, decoded.text];
};

content('UTF-8, ASCII and empty data are text', () => {
  assert.equal(textOf(utf8('abc\n')), ['utf-8', 'abc\n']);
  assert.equal(textOf(utf8('Grüße, 世界 😀')), ['utf-8', 'Grüße, 世界 😀']);
  assert.equal(textOf(new Uint8Array()), ['utf-8', '']);
});

content('byte order marks determine the encoding and are removed', () => {
  assert.equal(textOf(utf8('\ufeffé')), ['utf-8', 'é']);
  assert.equal(textOf(utf16('\ufeffé世')), ['utf-16le', 'é世']);
  assert.equal(textOf(utf16('\ufeffé世', true)), ['utf-16be', 'é世']);
});

content(
  'other data that begins with the mark of UTF-16 is binary, and a damaged text is not',
  () => {
    const noise = createHash('shake256', { outputLength: 4096 }).digest();
    for (const mark of [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ])
      assert.is(decodeText(Buffer.concat([Buffer.from(mark), noise])), null);
    const damaged = `\ufeff${'some words\n'.repeat(50)}\ud83d${'more\n'.repeat(20)}`;
    assert.is(decodeText(utf16(damaged))?.encoding, 'utf-16le');
  },
);

content('UTF-16 without a mark is recognised, in Latin and other scripts', () => {
  for (const sample of ['Hello, world\r\nsecond line', 'Привет, мир! Это текст.\n']) {
    assert.equal(textOf(utf16(sample)), ['utf-16le', sample]);
    assert.equal(textOf(utf16(sample, true)), ['utf-16be', sample]);
  }
});

content('a view into a larger buffer is decoded within its bounds', () => {
  const whole = utf8('xxGrüßeyy');
  assert.equal(textOf(whole.subarray(2, whole.length - 2)), ['utf-8', 'Grüße']);
});

content('Western text that is not UTF-8 is decoded as Windows-1252', () => {
  assert.equal(textOf(latin1('caf\xe9 au lait')), ['windows-1252', 'café au lait']);
  assert.equal(textOf(latin1('\x93quoted\x94 caf\xe9')), ['windows-1252', '“quoted” café']);
  assert.equal(textOf(latin1('ends in \xe9')), ['windows-1252', 'ends in é']);
});

content('a late invalid byte does not change the encoding of UTF-8', () => {
  const bytes = Buffer.concat([utf8('é'.repeat(50_000)), Buffer.from([0xff]), utf8('ü\n')]);
  const decoded = textOf(bytes);
  assert.is(decoded?.[0], 'utf-8');
  assert.is(decoded?.[1], `${'é'.repeat(50_000)}\ufffdü\n`);
});

content('an incomplete character at the end of a prefix is ignored', () => {
  const bytes = utf8('plain ascii, then 😀');
  const cut = bytes.subarray(0, bytes.length - 1);
  assert.is(sniff(cut, { prefix: true }).encoding, 'utf-8');
  assert.is(sniff(cut).encoding, 'utf-8');
  assert.is(sniff(latin1('ends in \xe9')).encoding, 'windows-1252');
});

content('binary: NUL bytes, known signatures, data without structure', () => {
  assert.is(textOf(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0])), null);
  assert.is(textOf(utf8('%PDF-1.7\nall of it ascii\n')), null);
  assert.is(textOf(utf8('some text\0more')), null);
  let state = 7;
  const noise = Uint8Array.from({ length: 4000 }, () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return 1 + ((state >> 12) % 255);
  });
  assert.is(textOf(noise), null);
});

content('a late NUL does not make a long text binary', () => {
  assert.is(decodeText(utf8(`${'line\n'.repeat(4000)}\0tail`))?.encoding, 'utf-8');
});

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Decodes a stream of the bytes. Null for binary data. */
async function streamed(bytes: Uint8Array, size: number): Promise<string | null> {
  let text = '';
  try {
    for await (const piece of decodeStream(inPieces(bytes, size))) text += piece;
  } catch (error) {
    assert.instance(error, NotTextError);
    return null;
  }
  return text;
}

const sentences: readonly (readonly [encodings: string, text: string])[] = [
  ['shift_jis euc-jp iso-2022-jp', '会議の議事録。来月の予算について話し合いました。'],
  ['gb18030', '会议纪要：下个月的预算需要重新讨论，请财务部门准备材料。'],
  ['big5', '會議紀要：下個月的預算需要重新討論。'],
  ['euc-kr', '회의록: 다음 달 예산을 다시 논의해야 합니다.'],
  [
    'windows-1251 koi8-r ibm866 x-mac-cyrillic',
    'Протокол совещания: бюджет нужно обсудить заново.',
  ],
  ['koi8-u', 'Протокол наради: бюджет наступного місяця треба обговорити ще раз.'],
  ['windows-1250 iso-8859-2', 'Protokół z narady: budżet na przyszły miesiąc trzeba omówić.'],
  ['windows-1253', 'Πρακτικά συνεδρίασης: ο προϋπολογισμός πρέπει να συζητηθεί ξανά.'],
  ['windows-1254', 'Toplantı tutanağı: gelecek ayın bütçesi yeniden görüşülmelidir.'],
  ['windows-1255', 'פרוטוקול ישיבה: יש לדון מחדש בתקציב של החודש הבא.'],
  ['windows-1256', 'محضر الاجتماع: يجب مناقشة ميزانية الشهر القادم من جديد.'],
  ['windows-874', 'รายงานการประชุม งบประมาณเดือนหน้าต้องหารือใหม่'],
  ['windows-1252', 'Procès-verbal : le budget du mois prochain doit être rediscuté.'],
  ['macintosh', 'Die Größe der Übungen für Anfänger wurde geändert.'],
];

/** Encodes a text by searching each character among the decoded single and double bytes. */
function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === 'iso-2022-jp') return jis(text);
  const bytesOf = new Map<string, number[]>();
  const decoded = (bytes: number[]): string => decodeBytes(Uint8Array.from(bytes), encoding);
  for (let high = 0; high < 256; high++) {
    const single = decoded([high]);
    if (!bytesOf.has(single)) bytesOf.set(single, [high]);
    if (high < 0x81 || !/^(?:shift|euc|gb|big5)/.test(encoding)) continue;
    for (let low = 0x40; low < 255; low++) {
      const double = decoded([high, low]);
      if (double.length === 1 && !bytesOf.has(double)) bytesOf.set(double, [high, low]);
    }
  }
  return Uint8Array.from(Array.from(text, (char) => bytesOf.get(char) ?? []).flat());
}

/** Converts EUC-JP to ISO-2022-JP: without high bits, between escapes. */
function jis(text: string): Uint8Array {
  const bytes = encoded(text, 'euc-jp').map((byte) => byte & 0x7f);
  return Buffer.concat([utf8('\x1b$B'), bytes, utf8('\x1b(B\n')]);
}

content('the encodings of texts in many languages are detected', async () => {
  const log = 'GET /status 200 ok\n'.repeat(200);
  for (const [encodings, sentence] of sentences) {
    for (const encoding of encodings.split(' ')) {
      const bytes = encoded(sentence, encoding);
      const end = encoding === 'iso-2022-jp' ? '\n' : '';
      for (const around of ['', log, '// ']) {
        const whole = Buffer.concat([utf8(around), bytes, utf8(`\n${around}`)]);
        const text = `${around}${sentence}${end}\n${around}`;
        assert.is(decodeText(whole)?.text, text, encoding);
        assert.is(decodeText(whole)?.guessed, encoding !== 'iso-2022-jp', encoding);
        assert.is(await streamed(whole, 37), text, `${encoding}, in pieces`);
      }
    }
  }
});

content('declared encodings are used unless the text is UTF-8 or invalid', () => {
  const name = 'Łódź';
  for (const statement of [
    '<?xml version="1.0" encoding="iso-8859-2"?>',
    `<head>${'<!-- filler -->'.repeat(3000)}<meta charset=iso-8859-2>`,
    '#!/usr/bin/env python\n# -*- coding: iso-8859-2 -*-\n',
    '"Content-Type: text/plain; charset=ISO-8859-2\\n"\n',
  ]) {
    const text = `${statement} ${name}`;
    assert.equal(textOf(encoded(text, 'iso-8859-2')), ['iso-8859-2', text]);
    assert.equal(textOf(utf8(text)), ['utf-8', text]);
  }
  const wrong = encoded('<meta charset=euc-kr> Procès-verbal de la réunion', 'windows-1252');
  assert.is(decodeText(wrong)?.encoding, 'windows-1252');
});

content(
  'a known encoding overrules what the bytes look like, not that they are binary',
  async () => {
    const bytes = latin1('caf\xe9 \xe8');
    assert.is(decodeText(bytes, { encoding: 'windows-1251' })?.text, 'cafй и');
    assert.is(decodeText(utf8('some text\0more'), { encoding: 'windows-1251' }), null);
  },
);

content(
  'UTF-32 and East Asian UTF-16 without a mark are text, and words between NULs are not',
  () => {
    for (const sample of ['Größe\nübung\n', '会议纪要：下个月的预算\n需要重新讨论\n'])
      for (const [mark, encoding] of [
        ['\ufeff', 'utf-32le'],
        ['', 'utf-32le'],
      ] as const)
        assert.equal(textOf(utf32(mark + sample)), [encoding, sample]);
    assert.is(textOf(utf16('会议纪要：下个月的预算\n需要重新讨论\n'))?.[0], 'utf-16le');
    assert.is(textOf(utf8('words\0between\0zeros\0and\0more')), null);
  },
);

function utf32(text: string): Uint8Array {
  const points = Array.from(text, (char) => char.codePointAt(0) ?? 0);
  return Buffer.concat(points.map((point) => Buffer.from(Uint32Array.of(point).buffer)));
}

content('a lone \\r ends a line unless other lines end with \\n', async () => {
  for (const [bytes, text] of [
    ['one\rtwo\r', 'one\ntwo\n'],
    ['one\rtwo\n', 'one\rtwo\n'],
    [`${'old\r'.repeat(20_000)}end\r\n`, `${'old\n'.repeat(20_000)}end\r\n`],
  ] as const) {
    assert.ok(decodeText(utf8(bytes))?.text === text);
    for (const size of [1, 4, 8192]) assert.ok((await streamed(utf8(bytes), size)) === text);
  }
});

content('terminal escapes stay ASCII, also at the ends of pieces', async () => {
  const text = '\x1b[31mred\x1b(B\x1b$ \x1b';
  assert.equal(textOf(utf8(text)), ['utf-8', text]);
  for (const size of [1, 2, 5]) assert.is(await streamed(utf8(text), size), text);
});

content('guessing the encoding of a binary megabyte is quick', () => {
  const noise = createHash('shake256', { outputLength: 1_000_000 })
    .digest()
    .map((byte) => byte | 0x80);
  const begun = performance.now();
  decodeText(noise);
  decodeText(utf8('<meta '.repeat(100_000) + 'charset='.repeat(100_000)));
  assert.ok(performance.now() - begun < 2000);
});

content('streams decode like the whole text for any piece size', async () => {
  const ascii = 'plain line\n'.repeat(9000);
  const samples: Record<string, Uint8Array> = {
    empty: new Uint8Array(),
    ascii: utf8(ascii),
    'utf-8, late': utf8(`${ascii}é世😀\n${ascii}`),
    'utf-8 with a mark': utf8(`\ufeffé\n${ascii}`),
    'utf-8, cut at its end': utf8('ends in 😀').subarray(0, -1),
    'utf-8, damaged long after the sample': Buffer.concat([
      utf8('é'.repeat(50_000)),
      Buffer.from([0xff]),
      utf8('ü\n'),
    ]),
    'utf-16': utf16(`\ufeff${'é世😀\n'.repeat(20_000)}`),
    'utf-16 of odd length': utf16('\ufeffé世\n').subarray(0, -1),
    'utf-16, big endian, no mark': utf16('Привет, мир!\n'.repeat(2000), true),
    'latin-1, late': Buffer.concat([utf8(ascii), latin1('caf\xe9 \x93quoted\x94\n'.repeat(9000))]),
    'latin-1, then a character of utf-8': Buffer.concat([
      latin1('caf\xe9 \xe8 \xea\n'),
      utf8('é\n'),
    ]),
    'binary, after a text': Buffer.concat([
      utf8(ascii),
      Buffer.alloc(9000, Buffer.from([1, 2, 0xff, 3])),
    ]),
    'a known format': utf8('%PDF-1.7\n'),
    NULs: utf8('some text\0more'),
  };
  for (const [name, bytes] of Object.entries(samples)) {
    const whole = decodeText(bytes)?.text ?? null;
    for (const size of [7, 8191, 8192, 65_536, 1_000_000]) {
      assert.ok((await streamed(bytes, size)) === whole, `${name}, in pieces of ${size}`);
    }
  }
});

content('leaving a decoded stream early closes its source', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield utf8('line\n'.repeat(4000));
    } finally {
      ended = true;
    }
  }
  for await (const piece of decodeStream(endless())) {
    assert.ok(piece.length < 100_000);
    break;
  }
  assert.ok(ended);
});

content('media types come from names', () => {
  const expected: Record<string, string | null> = {
    'src/a.ts': 'text/typescript',
    'a.d.ts': 'text/typescript',
    'b.RS': 'text/x-rust',
    'm.py': 'text/x-python',
    'deep/Dockerfile': 'text/x-dockerfile',
    'Dockerfile.dev': 'text/x-dockerfile',
    Makefile: 'text/x-makefile',
    'api.proto': 'text/x-protobuf',
    'App.vue': 'text/x-vue',
    'x.json': 'application/json',
    'x.ipynb': 'application/x-ipynb+json',
    'CMakeLists.txt': 'text/x-cmake',
    'notes.txt': 'text/plain',
    README: 'text/plain',
    '.gitignore': 'text/x-ignore',
    'x.pdf': 'application/pdf',
    'unknown.zzz': null,
    '': null,
  };
  for (const [path, type] of Object.entries(expected)) assert.is(mediaTypeOf(path), type, path);
});

content('content takes precedence over a name', () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1');
  assert.is(mediaTypeOf('photo.txt', png), 'image/png');
  assert.is(mediaTypeOf('logo.png', utf8('just words')), 'text/plain');
  assert.is(mediaTypeOf('tool', utf8('#!/usr/bin/env python3\nprint(1)\n')), 'text/x-python');
  assert.is(mediaTypeOf('tool', utf8('#!/bin/sh\n')), 'text/x-shellscript');
  assert.is(mediaTypeOf('page', utf8('<!DOCTYPE html><p>')), 'text/html');
  assert.is(
    mediaTypeOf('clip.ts', Buffer.from([0x47, 0x40, 0, 0x10, 0, 0, 0xb0, 0x0d])),
    'application/octet-stream',
  );
  const zip = Buffer.from('PK\x03\x04....', 'latin1');
  assert.match(mediaTypeOf('report.docx', zip) ?? '', /wordprocessingml/);
  assert.is(mediaTypeOf('report', zip), 'application/zip');
});

/** Returns the members of a ZIP archive without its directory. */
function zipped(...members: readonly (readonly [name: string, bytes?: string])[]): Buffer {
  const parts = members.map(([name, bytes = '']) => {
    const header = Buffer.alloc(30);
    header.write('PK\x03\x04', 'latin1');
    header.writeUInt32LE(bytes.length, 18);
    header.writeUInt16LE(name.length, 26);
    return Buffer.concat([header, Buffer.from(name + bytes, 'latin1')]);
  });
  return Buffer.concat(parts);
}

content('documents in ZIP archives are recognised', () => {
  const types = ['[Content_Types].xml', '<Types/>'] as const;
  const epub = zipped(['mimetype', 'application/epub+zip'], ['META-INF/container.xml']);
  const text = zipped(['mimetype', 'application/vnd.oasis.opendocument.text'], ['content.xml']);
  for (const [bytes, expected] of [
    [zipped(types, ['_rels/.rels'], ['word/document.xml', '<w/>']), /wordprocessingml/],
    [zipped(['_rels/.rels'], ['docProps/app.xml'], ['ppt/slides/1.xml']), /presentationml/],
    [zipped(types, ['xl/workbook.xml']), /spreadsheetml/],
    [epub, /^application\/epub\+zip$/],
    [text, /^application\/vnd\.oasis\.opendocument\.text$/],
  ] as const) {
    for (const name of ['thesis', 'thesis.pdf', 'thesis.zip']) {
      assert.match(mediaTypeOf(name, bytes) ?? '', expected);
    }
  }
  const word = zipped(types, ['word/document.xml']);
  for (const other of [
    zipped(['word/list.txt'], ['a.txt']),
    zipped(['thesis.docx', word.toString('latin1')]),
    zipped(['a/mimetype', 'application/epub+zip']),
    zipped(['mimetype', 'x/y']),
    zipped(types, ['a.txt']),
    zipped(['filler', 'x'.repeat(5000)], types, ['word/document.xml']),
    word.subarray(0, 40),
  ]) {
    assert.is(mediaTypeOf('archive', other), 'application/zip');
  }
});

content('kinds: binary or text first, then the media type', () => {
  assert.is(kindOf('a.ts', 'text/typescript', false), 'code');
  assert.is(kindOf('a.ts', 'application/octet-stream', true), 'binary');
  assert.is(kindOf('a.md', null, false), 'document');
  assert.is(kindOf('a.pdf', 'application/pdf', true), 'document');
  assert.is(kindOf('a.png', 'image/png', true), 'image');
  assert.is(kindOf('a.png', 'text/plain', false), 'text');
  assert.is(kindOf('a.csv', null, false), 'text');
  assert.is(kindOf('a.unknown', null, false), 'text');
  assert.is(kindOf('a', 'application/vnd.api+json; charset=utf-8', false), 'text');
  assert.is(kindOf('a', 'text/markdown; charset=utf-8', false), 'document');
});

content('lines end with \\n or \\r\\n but not with a lone \\r', () => {
  assert.equal(lineStarts(''), []);
  assert.equal(lineStarts('a'), [0]);
  assert.equal(lineStarts('a\n'), [0]);
  assert.equal(lineStarts('a\r\nb\rc\n\nd'), [0, 3, 7, 8]);
});

content('sliceLines ignores lines past the end', () => {
  const text = 'one\r\ntwo\nthree';
  const starts = lineStarts(text);
  assert.is(sliceLines(text, starts, 1, 1), 'one\r\n');
  assert.is(sliceLines(text, starts, 2, 9), 'two\nthree');
  assert.is(sliceLines(text, starts, 4, 9), '');
  assert.is(sliceLines(text, starts, 3, 2), '');
  assert.equal(
    [0, 4, 5, 8, 9, 14].map((at) => lineAt(starts, at)),
    [1, 1, 2, 2, 3, 3],
  );
  assert.is(lineAt([], 0), 1);
});

content.run();
