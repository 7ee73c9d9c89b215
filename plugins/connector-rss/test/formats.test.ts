import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { EntryPaths } from '../src/archive/paths.js';
import { FeedFormatError, type Feed, type FeedEntry } from '../src/feed.js';
import { decodeDocument, parseFeed } from '../src/formats/parse.js';

const test = suite('formats of feeds');
const address = 'https://blog.example.com/feeds/all.xml';
const now = Date.UTC(2026, 10, 29);
const november5 = Date.UTC(2026, 10, 5, 10);

const parse = (text: string): Promise<Feed> => parseFeed(text, address, now);

async function onlyEntry(text: string): Promise<FeedEntry> {
  const { entries } = await parse(text);
  assert.is(entries.length, 1);
  const [entry] = entries;
  if (entry === undefined) throw new Error('no entry');
  return entry;
}

async function problem(text: string): Promise<string> {
  try {
    await parse(text);
  } catch (error) {
    if (error instanceof FeedFormatError) return error.message;
    throw error;
  }
  return '';
}

test('reads RSS 2.0 with the usual modules', async () => {
  const feed = await parse(`<?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:creator="http://purl.org/dc/elements/1.1/" xmlns:a10="http://www.w3.org/2005/Atom">
    <channel><title>Bread &amp;amp; Butter</title><link>https://blog.example.com/</link><language>en</language>
      <a10:link rel="next" href="?page=2"/>
      <item>
        <title>Rye &lt;em&gt;now&lt;/em&gt;</title><link>/posts/rye</link>
        <guid isPermaLink="false">17</guid><pubDate>Thu, 05 Nov 2026 10:00:00 GMT</pubDate>
        <creator:creator>Ada</creator:creator><category>Bread</category><category>Bread</category>
        <description>short</description>
        <content:encoded><![CDATA[<p>See <a href="../flour">flour</a> <img src="x.png"></p><script>alert(1)</script>]]></content:encoded>
        <enclosure url="/rye.mp3" type="audio/mpeg" length="1"/>
      </item></channel></rss>`);
  assert.is(feed.title, 'Bread & Butter');
  assert.is(feed.language, 'en');
  assert.is(feed.next, 'https://blog.example.com/feeds/all.xml?page=2');
  assert.equal(feed.entries, [
    {
      id: '17',
      title: 'Rye now',
      url: 'https://blog.example.com/posts/rye',
      author: 'Ada',
      publishedAt: november5,
      updatedAt: null,
      categories: ['Bread'],
      html: '<p>See <a href="https://blog.example.com/flour">flour</a> <img src="https://blog.example.com/posts/x.png"></p>',
      enclosures: ['https://blog.example.com/rye.mp3'],
    },
  ]);
});

test('reads RSS 0.91 without dates and ids', async () => {
  const entry =
    await onlyEntry(`<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://my.netscape.com/rss.dtd">
    <rss version="0.91"><channel><title>Old</title><link>http://old.example.com</link>
    <item><title>One</title><link>http://old.example.com/1</link><description>R&amp;D, 1 &lt; 2
and more</description></item></channel></rss>`);
  assert.is(entry.id, 'http://old.example.com/1');
  assert.is(entry.publishedAt, null);
  assert.is(entry.html, '<p>R&amp;D, 1 &lt; 2\nand more</p>');
});

test('reads RSS 1.0, whose items are beside the channel', async () => {
  const feed = await parse(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel rdf:about="x"><title>Papers</title><link>https://arxiv.example.org/</link></channel>
    <item rdf:about="https://arxiv.example.org/1"><title>On &amp; On</title><link>https://arxiv.example.org/1</link>
    <dc:date>2026-11-05T10:00:00Z</dc:date><dc:subject>math</dc:subject></item></rdf:RDF>`);
  assert.is(feed.title, 'Papers');
  assert.is(feed.entries[0]?.title, 'On & On');
  assert.is(feed.entries[0]?.publishedAt, november5);
  assert.equal(feed.entries[0]?.categories, ['math']);
});

test('reads Atom with bases, forms of text and authors of the feed', async () => {
  const feed =
    await parse(`<a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:lang="de" xml:base="https://cdn.example.com/">
    <a:title type="text">A &lt;b&gt; &amp; c</a:title><a:author><a:name>Ben</a:name></a:author>
    <a:entry xml:base="posts/"><a:id>urn:1</a:id><a:title type="html">One &amp;amp; &lt;i&gt;two&lt;/i&gt;</a:title>
      <a:link rel="self" href="self"/><a:link href="one"/><a:published>2026-11-05T10:00:00Z</a:published>
      <a:updated>2026-11-05T11:00:00+01:00</a:updated><a:category term="x" label="Label"/>
      <a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Go <a href="two">on</a>, 1 &lt; 2</div></a:content>
    </a:entry></a:feed>`);
  assert.is(feed.title, 'A <b> & c');
  assert.is(feed.language, 'de');
  assert.equal(feed.entries, [
    {
      id: 'urn:1',
      title: 'One & two',
      url: 'https://cdn.example.com/posts/one',
      author: 'Ben',
      publishedAt: november5,
      updatedAt: november5,
      categories: ['Label'],
      html: '<div>Go <a href="https://cdn.example.com/posts/two">on</a>, 1 &lt; 2</div>',
      enclosures: [],
    },
  ]);
});

test('reads Atom 0.3 and Atom without a namespace', async () => {
  const draft =
    await onlyEntry(`<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><entry>
    <id>1</id><title>T</title><link rel="alternate" type="text/html" href="https://old.example.com/1"/>
    <issued>2026-11-05T10:00:00Z</issued><content type="text/html" mode="escaped">&lt;p&gt;x&lt;/p&gt;</content></entry></feed>`);
  assert.is(draft.url, 'https://old.example.com/1');
  assert.is(draft.publishedAt, november5);
  assert.is(draft.html, '<p>x</p>');
  assert.is(
    (await onlyEntry('<feed><entry><id>2</id><summary>s</summary></entry></feed>')).html,
    '<p>s</p>',
  );
});

test('reads JSON Feed', async () => {
  const feed = await parse(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Notes',
      home_page_url: 'https://notes.example.com/',
      next_url: '/feed?page=2',
      authors: [{ name: 'Cy' }],
      items: [
        {
          id: 7,
          url: '/n/7',
          content_html: '<a href="8">next</a>',
          tags: ['a', 3],
          date_published: '2026-11-05T10:00:00Z',
        },
        {
          id: 'b',
          content_text: 'one\n\ntwo & three',
          author: { name: 'Di' },
          attachments: [{ url: '/f.pdf' }],
        },
      ],
    }),
  );
  assert.is(feed.next, 'https://blog.example.com/feed?page=2');
  const [first, second] = feed.entries;
  assert.equal(
    [first?.id, first?.url, first?.author],
    ['7', 'https://notes.example.com/n/7', 'Cy'],
  );
  assert.is(first?.html, '<a href="https://notes.example.com/n/8">next</a>');
  assert.equal(first?.categories, ['a']);
  assert.is(second?.html, '<p>one</p>\n<p>two &amp; three</p>');
  assert.equal([second?.author, second?.enclosures], ['Di', ['https://notes.example.com/f.pdf']]);
});

test('reads feeds that are not well-formed', async () => {
  const feed = await parse(`\n\n <?xml version="1.0"?><rss><channel><title>AT&T &nbsp;news</title>
    <item><title>Fish & chips &copy;</title><link>https://a.example.com/?a=1&b=2</link>
    <description><p>Not escaped<br/>at all</p></description></item>
    <item><title>Cut off</title><description>the connection`);
  assert.is(feed.title, 'AT&T news');
  const [first, second] = feed.entries;
  assert.is(first?.title, 'Fish & chips ©');
  assert.is(first?.url, 'https://a.example.com/?a=1&b=2');
  assert.is(first?.html, '<p>Not escaped<br>at all</p>');
  assert.is(second?.title, 'Cut off');
});

test('tells entries with the same id apart', async () => {
  const item = (link: string): string =>
    `<item><guid isPermaLink="false">0</guid><title>T</title><link>https://a.example.com/${link}</link></item>`;
  const { entries } = await parse(
    `<rss><channel>${item('1')}${item('2')}${item('2')}</channel></rss>`,
  );
  assert.equal(
    entries.map(({ id }) => id),
    ['0 https://a.example.com/1', '0 https://a.example.com/2'],
  );
});

test('drops links that are no web addresses', async () => {
  const { html, url } = await onlyEntry(
    '<rss><channel><item><title>T</title><link>javascript:alert(1)</link><description>&lt;a href="javascript:x" onclick="y"&gt;z&lt;/a&gt;</description></item></channel></rss>',
  );
  assert.is(html, '<a href="">z</a>');
  assert.is(url, null);
});

test('resolves no entities that a document defines', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `a${at}`);
  const definitions = names
    .map((name, at) => `<!ENTITY ${name} "${at === 0 ? 'boom' : `&a${at - 1};`.repeat(10)}">`)
    .join('');
  const bomb = `<?xml version="1.0"?><!DOCTYPE rss [${definitions}<!ENTITY file SYSTEM "file:///etc/passwd">]>
    <rss><channel><item><title>x &a19; &file;</title><description>&a19;</description></item></channel></rss>`;
  const entry = await onlyEntry(bomb);
  assert.is(entry.title, 'x &a19; &file;');
  assert.ok(entry.html.length < 100);
});

test('refuses documents that are no feeds', async () => {
  assert.is(await problem(''), 'it is empty');
  assert.is(await problem('hello'), 'it has no elements');
  assert.is(await problem('<urlset></urlset>'), 'its first element is <urlset>');
  assert.is(await problem('{"items":'), 'it is damaged JSON');
  assert.is(await problem('{"a": 1}'), 'it is JSON without `items`');
  assert.is(await problem(`<rss>${'<a>'.repeat(100_000)}`), 'it is nested too deeply');
});

test('decodes documents by their mark, header, declaration or bytes', () => {
  const decoded = (bytes: Uint8Array, contentType: string | null = null): string =>
    decodeDocument({ bytes, contentType, address }).replace(/^<\?xml.*?\?>/, '');
  const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  const declared = latin1('<?xml version="1.0" encoding="iso-8859-1"?><a>caf\xe9</a>');
  assert.is(decoded(declared), '<a>café</a>');
  assert.is(decoded(Buffer.from('\uFEFF<a>é</a>', 'utf16le')), '<a>é</a>');
  assert.is(decoded(latin1('<a>\xe9</a>'), 'text/xml; charset=ISO-8859-1'), '<a>é</a>');
  assert.is(decoded(Buffer.from('<a>é</a>'), 'text/xml; charset=us-ascii'), '<a>é</a>');
  const wrong = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>');
  assert.is(decoded(wrong), '<a>é</a>', 'UTF-8 with a wrong declaration');
  const cyrillic = Buffer.from([0x3c, 0x61, 0x3e, 0xc4, 0xc1, 0x3c, 0x2f, 0x61, 0x3e]);
  assert.is(decoded(cyrillic, 'text/xml; charset=koi8-r'), '<a>да</a>');
});

async function assertFast(work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await work();
  assert.ok(performance.now() - start < 3000);
}

test('reads the author of an entry in linear time', () =>
  assertFast(async () => {
    const author = `a${'@('.repeat(1500)}${'))'.repeat(1500)}x`;
    const entry = await onlyEntry(
      `<rss><channel><item><author>${author}</author></item></channel></rss>`,
    );
    assert.is(entry.author, author.slice(0, 1000));
  }));

test('refuses thousands of namespaces, which every element would copy', () =>
  assertFast(async () => {
    const declared = Array.from({ length: 20_000 }, (_, at) => `xmlns:n${at}="u"`).join(' ');
    const text = `<rss ${declared}>${'<a xmlns:b="u"/>'.repeat(500)}</rss>`;
    assert.is(await problem(text), 'it declares too many namespaces');
  }));

test('gives equal titles paths in linear time', () =>
  assertFast(async () => {
    const entry = await onlyEntry(
      '<rss><channel><item><title>A</title><guid>1</guid></item></channel></rss>',
    );
    const paths = new EntryPaths(['undated/a (2).html']);
    const assigned = Array.from({ length: 15_000 }, () => paths.assign(entry));
    assert.equal(assigned.slice(0, 2), ['undated/A.html', 'undated/A (3).html']);
    assert.is(new Set(assigned).size, 15_000);
  }));

test('resolves no links against a very long address', async () => {
  const long = `https://blog.example.com/${'x'.repeat(5000)}/`;
  const content = '&lt;a href="y">y&lt;/a> &lt;a href="https://a.example/">a&lt;/a>';
  const entry = await onlyEntry(
    `<rss><channel><link>${long}</link><item><guid>1</guid><description>${content}</description></item></channel></rss>`,
  );
  assert.is(entry.html, '<a href="">y</a> <a href="https://a.example/">a</a>');
  const { url } = await onlyEntry(
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${long}"><entry xml:base="z/"><link href="y"/></entry></feed>`,
  );
  assert.is(url, 'https://blog.example.com/feeds/z/y');
});

test('limits the short texts of a feed', async () => {
  const long = 'x'.repeat(100_000);
  const categories = Array.from({ length: 500 }, (_, at) => `<category>${at}</category>`).join('');
  const { title, entries } = await parse(
    `<rss><channel><title>${long}</title>${['1', '2']
      .map(
        (end) =>
          `<item><guid>${long}${end}</guid><title>${long}</title><author>${long}</author><link>https://blog.example.com/${long}</link>${categories}</item>`,
      )
      .join('')}</channel></rss>`,
  );
  assert.is(title.length, 1000);
  assert.is(new Set(entries.map(({ id }) => id)).size, 2);
  for (const entry of entries) {
    assert.equal(
      [entry.id, entry.title, entry.author].map((text) => text?.length),
      [1000, 1000, 1000],
    );
    assert.is(entry.categories.length, 100);
    assert.is(entry.url, null);
  }
});

test.run();
