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

test('chapters come in the order of reading', async () => {
  const { markdown, title } = await epub();
  assert.is(markdown, '# First\n\n- one\n\n# Second\n\nText of it\n');
  assert.is(title, 'The book');
});

const locked = (algorithm: string, member: string) =>
  `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="${member}"/></CipherData></EncryptedData></encryption>`;

test('a book that needs a key is refused; hidden fonts need none', async () => {
  const drm = locked('http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'OPS/a.xhtml');
  assert.is((await refusal(epub({ 'META-INF/encryption.xml': drm }))).code, 'document_encrypted');
  const fonts = locked('http://www.idpf.org/2008/embedding', 'OPS/a.xhtml');
  assert.ok((await epub({ 'META-INF/encryption.xml': fonts })).markdown.includes('First'));
});

test('what is no book, lacks its chapters, or has pictures only is refused with its reason', async () => {
  assert.is((await refusal(convert(type, zip({ mimetype: type })))).code, 'document_damaged');
  const hollow = convert(type, zip({ 'META-INF/container.xml': container, 'OPS/book.opf': opf }));
  assert.is((await refusal(hollow)).code, 'document_damaged');
  const picture = page('<img src="a.png"/>');
  const drawn = epub({ 'OPS/book.opf': opf.replaceAll('application/xhtml', 'image/svg') });
  assert.is((await refusal(drawn)).code, 'document_empty');
  const pictures = epub({ 'OPS/a.xhtml': picture, 'OPS/text/b two.xhtml': picture });
  assert.is((await refusal(pictures)).code, 'document_empty');
});

test.run();
