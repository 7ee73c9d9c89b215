import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';

const test = suite('HTML → Markdown');
const html = (text: string, encoding: BufferEncoding = 'utf8') =>
  convert('text/html', Buffer.from(text, encoding));
const markdown = async (text: string): Promise<string> => (await html(text)).markdown;

test('headings, paragraphs, links and entities, without what only leads through the site', async () => {
  const page = await html(
    `<!doctype html><html><head><title> Salt &amp;
      pepper </title><style>p { color: red }</style><script>if (a < b) document.write('<p>no</p>')</script></head>
      <body><nav><ul><li>Home</li></ul></nav><header role="navigation">Menu</header>
      <h1>The <em>main</em> thing</h1><p>Gr&uuml;&szlig;e, <a href="https://a.org/x y">a
      link</a>.<br>Next&nbsp;line &#8212; <img alt="a cat" src="cat.png"> <a href="#top">up</a>
      <div hidden>secret <div>too</div> all</div><p>unclosed<svg><text>drawn</text></svg></body></html>`,
  );
  assert.is(page.title, 'Salt & pepper');
  assert.is(
    page.markdown,
    '# The main thing\n\nGrüße, [a link](https://a.org/x%20y).\nNext line — a cat up\n\nunclosed\n',
  );
});

test('lists within lists, and several paragraphs in one item', async () => {
  assert.is(
    await markdown(
      '<ul><li>One<li><p>Two</p><p>more</p><ol start="3"><li>a</li><li>b</ol></li><li>Three</ul>After',
    ),
    '- One\n- Two\n  more\n  3. a\n  4. b\n- Three\n\nAfter\n',
  );
});

test('a table of data becomes a table, one that lays out a page what it lays out', async () => {
  assert.is(
    await markdown(
      '<table><caption>Prices</caption><thead><tr><th>Fruit<th>Price</thead><tr><td colspan=2>All<tr><td>Fig<td>1 | 2</table>',
    ),
    'Prices\n\n| Fruit | Price |\n| --- | --- |\n| All |  |\n| Fig | 1 \\| 2 |\n',
  );
  assert.is(
    await markdown(
      '<table><tr><td><h2>News</h2><p>of today</p></td><td>Side</td></tr></table><table><tr><td>one</td></tr><tr><td><table><tr><td>x<td>y</table></table>',
    ),
    'News\nof today\n\nSide\n\none\n\nx y\n',
  );
});

test('of a page that says what it is about, only that is taken', async () => {
  const around = (content: string): Promise<string> =>
    markdown(
      `<title>T</title><header>Site</header><aside>Menu</aside>${content}<footer>Imprint</footer>`,
    );
  const whole = 'Site\n\nMenu\n\nwords\n\nImprint\n';
  assert.is(await around('<main><div><main>two</main> words</div></main>'), 'two\n\nwords\n');
  assert.is(await around('<div role="main"><div>a</div>words</div>'), 'a\n\nwords\n');
  assert.is(await around('<article><header><h1>H</h1></header>words</article>'), '# H\n\nwords\n');
  assert.is(
    await around('<article>one</article><article>two</article>'),
    'Site\n\nMenu\n\none\n\ntwo\n\nImprint\n',
  );
  // Scripts fill it, or it is there in name only.
  assert.is(await around('<main></main>words'), whole);
  assert.is(await around('<!-- <main> -->words'), whole);
  assert.is((await html('<title>T</title><main>words</main>')).title, 'T');
});

test('a heading is without the link to itself', async () => {
  assert.is(
    await markdown(
      '<h2>Install<a class="headerlink" href="#install">¶</a></h2><p>x <a href="#y">#</a> y',
    ),
    '## Install\n\nx y\n',
  );
});

test('code keeps its lines and names its language, quotes stay quotes', async () => {
  assert.is(
    await markdown(
      '<pre><code class="hl language-js">if (a &lt; 2) {\n  <b>go</b>();\n}\n</code></pre><blockquote><p>Said</blockquote><pre>```\nx</pre>',
    ),
    '```js\nif (a < 2) {\n  go();\n}\n```\n\n> Said\n\n````\n```\nx\n````\n',
  );
});

test('the encoding is what the page says, else what its bytes look like', async () => {
  const russian = Buffer.concat([
    Buffer.from('<meta http-equiv=Content-Type content="text/html; charset=windows-1251"><p>'),
    Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
  ]);
  assert.is((await convert('text/html', russian)).markdown, 'Привет\n');
  assert.is((await html('<p>Grüße')).markdown, 'Grüße\n');
  assert.is((await html('<p>Grüße', 'latin1')).markdown, 'Grüße\n');
  assert.is((await html('<p>5 \x80', 'latin1')).markdown, '5 €\n');
  assert.is((await html('\ufeff<meta charset=utf-16><p>Grüße', 'utf16le')).markdown, 'Grüße\n');
  assert.is((await html('<meta charset="no-such"><p>é')).markdown, 'é\n');
});

test('an XHTML page may close its scripts at once', async () => {
  const page =
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a.js"/></head><body><p>Seen</p></body></html>';
  assert.is(await markdown(page), 'Seen\n');
});

test('what would be structure is escaped, and no address runs a script', async () => {
  assert.is(
    await markdown('<p># no heading<p><a href="javascript:alert(1)">click</a> snake_case'),
    '\\# no heading\n\nclick snake_case\n',
  );
});

test('a page without text is empty; one that is deep is read, up to a limit', async () => {
  const { code } = await refusal(html('<html><script>let a</script><nav>Menu</nav></html>'));
  assert.is(code, 'document_empty');
  const deep = 10_000;
  assert.is(await markdown(`${'<div>'.repeat(deep)}x${'</div>'.repeat(deep)}`), 'x\n');
  assert.is(await markdown(`${'<table>'.repeat(deep)}<td>x`), 'x\n');
  const deeper = await refusal(html(`${'<div>'.repeat(30_000)}x`));
  assert.is(deeper.code, 'document_too_complex');
});

test('in a block without end, links are read as text', async () => {
  const link = '<a href="https://a.org/x">label</a> ';
  const text = await markdown(`${link}${'word '.repeat(40_000)}${link}end`);
  assert.ok(text.startsWith('[label](https://a.org/x) word'));
  assert.ok(text.endsWith(' word label end\n'));
});

test.run();
