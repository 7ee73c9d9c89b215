import { crc32 } from 'node:zlib';
import { zipSync, type Zippable } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';
import { zip } from './support/office.js';

const test = suite('EPUB → Markdown');

const type = 'application/epub+zip';
const container =
  '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>';
const opf = `<package xmlns:dc="dc"><metadata><dc:title>The book</dc:title></metadata><manifest>
  <item id="b" href="text/b%20two.xhtml" media-type="application/xhtml+xml"/>
  <item id="a" href="a.xhtml#top" media-type="application/xhtml+xml"/>
  <item id="i" href="cover.svg" media-type="image/svg+xml"/>
  <item id="missing" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>
  <spine><itemref idref="i"/><itemref idref="a"/><itemref idref="b" linear="no"/><itemref idref="missing"/></spine></package>`;
const page = (body: string) =>
  `<?xml version="1.0"?><html><head><title>t</title></head><body>${body}</body></html>`;

function epub(files: Readonly<Record<string, string>> = {}) {
  return convert(
    type,
    zip({
      mimetype: type,
      'META-INF/container.xml': container,
      'OPS/book.opf': opf,
      'OPS/text/b two.xhtml': page('<h1>Second</h1><p>Text&nbsp;of it</p>'),
      'OPS/a.xhtml': page('<h1>First</h1><ul><li>one</li></ul>'),
      ...files,
    }),
  );
}

test('reads chapters in reading order', async () => {
  const { markdown, title } = await epub();
  assert.is(markdown, '# First\n\n- one\n\n# Second\n\nText of it\n');
  assert.is(title, 'The book');
});

const locked = (algorithm: string, member: string) =>
  `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="${member}"/></CipherData></EncryptedData></encryption>`;

test('rejects a book that needs a key but accepts obfuscated fonts', async () => {
  const drm = locked('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OPS/a.xhtml');
  assert.is((await refusal(epub({ 'META-INF/encryption.xml': drm }))).code, 'document_encrypted');
  const fonts = locked('http://www.idpf.org/2008/embedding', 'OPS/a.xhtml');
  assert.ok((await epub({ 'META-INF/encryption.xml': fonts })).markdown.includes('First'));
});

test('rejects files that are not books, lack chapters or have only pictures', async () => {
  assert.is((await refusal(convert(type, zip({ mimetype: type })))).code, 'document_damaged');
  const hollow = convert(type, zip({ 'META-INF/container.xml': container, 'OPS/book.opf': opf }));
  assert.is((await refusal(hollow)).code, 'document_damaged');
  const picture = page('<img src="a.png"/>');
  const drawn = epub({ 'OPS/book.opf': opf.replaceAll('application/xhtml', 'image/svg') });
  assert.is((await refusal(drawn)).code, 'document_empty');
  const pictures = epub({ 'OPS/a.xhtml': picture, 'OPS/text/b two.xhtml': picture });
  assert.is((await refusal(pictures)).code, 'document_empty');
});

/** A book with one chapter whose file name is stored as these bytes. */
function epubNamed(href: string, name: Uint8Array, extra: Record<number, Uint8Array> = {}) {
  const chapter = `<package><manifest><item id="a" href="${encodeURI(href)}" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`;
  const placeholder = 'x'.repeat(name.length);
  const files: Zippable = {
    'META-INF/container.xml': Buffer.from(container),
    'OPS/book.opf': Buffer.from(chapter),
    [`OPS/${placeholder}`]: [Buffer.from(page('<p>found</p>')), { extra }],
  };
  const bytes = Buffer.from(zipSync(files));
  for (let at = bytes.indexOf(placeholder); at >= 0; at = bytes.indexOf(placeholder)) {
    bytes.set(name, at);
  }
  return convert(type, bytes);
}

test('reads members with names in legacy encodings', async () => {
  const names = [
    ['Größe.xhtml', [0x47, 0x72, 0x94, 0xe1, 0x65]],
    ['Договор.xhtml', [0x84, 0xae, 0xa3, 0xae, 0xa2, 0xae, 0xe0]],
    ['日本語の本.xhtml', [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x96, 0x7b]],
    ['Größe.xhtml', [...Buffer.from('Größe')]],
  ] as const;
  for (const [href, bytes] of names) {
    const stored = Buffer.from([...bytes, ...Buffer.from('.xhtml')]);
    assert.is((await epubNamed(href, stored)).markdown, 'found\n', href);
  }
  // Info-ZIP adds the name in UTF-8 with a checksum of the plain name.
  const unknown = Buffer.from([0x47, 0x72, 0xff, 0xff, 0x65]);
  const field = Buffer.alloc(5, 1);
  field.writeUInt32LE(crc32(Buffer.concat([Buffer.from('OPS/'), unknown])), 1);
  const extra = { 0x7075: Buffer.concat([field, Buffer.from('OPS/Größe')]) };
  assert.is((await epubNamed('Größe', unknown, extra)).markdown, 'found\n');
  extra[0x7075][1] = (extra[0x7075][1] ?? 0) ^ 1;
  assert.is((await refusal(epubNamed('Größe', unknown, extra))).code, 'document_damaged');
});

test.run();
