import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';

const test = suite('HTML → Markdown');
const html = (text: string, encoding: BufferEncoding = 'utf8') =>
  convert('text/html', Buffer.from(text, encoding));
const markdown = async (text: string): Promise<string> => (await html(text)).markdown;

test('reads headings, paragraphs, links and entities without navigation', async () => {
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

test('reads nested lists and items with several paragraphs', async () => {
  assert.is(
    await markdown(
      '<ul><li>One<li><p>Two</p><p>more</p><ol start="3"><li>a</li><li>b</ol></li><li>Three</ul>After',
    ),
    '- One\n- Two\n  more\n  3. a\n  4. b\n- Three\n\nAfter\n',
  );
});

test('keeps data tables and unwraps layout tables', async () => {
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

test('reads only the main content of a page that marks it', async () => {
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
  // The element is filled by scripts, or empty.
  assert.is(await around('<main></main>words'), whole);
  assert.is(await around('<!-- <main> -->words'), whole);
  assert.is((await html('<title>T</title><main>words</main>')).title, 'T');
});

test('drops the link of a heading to itself', async () => {
  assert.is(
    await markdown(
      '<h2>Install<a class="headerlink" href="#install">¶</a></h2><p>x <a href="#y">#</a> y',
    ),
    '## Install\n\nx y\n',
  );
});

test('keeps code lines, their language and quotes', async () => {
  assert.is(
    await markdown(
      '<pre><code class="hl language-js">if (a &lt; 2) {\n  <b>go</b>();\n}\n</code></pre><blockquote><p>Said</blockquote><pre>```\nx</pre>',
    ),
    '```js\nif (a < 2) {\n  go();\n}\n```\n\n> Said\n\n````\n```\nx\n````\n',
  );
});

test('takes the encoding from the page, else from its bytes', async () => {
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

test('accepts self-closed scripts in XHTML', async () => {
  const page =
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a.js"/></head><body><p>Seen</p></body></html>';
  assert.is(await markdown(page), 'Seen\n');
});

test('escapes Markdown structure and drops script addresses', async () => {
  assert.is(
    await markdown('<p># no heading<p><a href="javascript:alert(1)">click</a> snake_case'),
    '\\# no heading\n\nclick snake_case\n',
  );
});

test('rejects a page without text and limits its depth', async () => {
  const { code } = await refusal(html('<html><script>let a</script><nav>Menu</nav></html>'));
  assert.is(code, 'document_empty');
  const deep = 10_000;
  assert.is(await markdown(`${'<div>'.repeat(deep)}x${'</div>'.repeat(deep)}`), 'x\n');
  assert.is(await markdown(`${'<table>'.repeat(deep)}<td>x`), 'x\n');
  const deeper = await refusal(html(`${'<div>'.repeat(30_000)}x`));
  assert.is(deeper.code, 'document_too_complex');
});

test('reads links in an unclosed block as text', async () => {
  const link = '<a href="https://a.org/x">label</a> ';
  const text = await markdown(`${link}${'word '.repeat(40_000)}${link}end`);
  assert.ok(text.startsWith('[label](https://a.org/x) word'));
  assert.ok(text.endsWith(' word label end\n'));
});

test('keeps cells below their titles beside spanning cells', async () => {
  const rows = (content: string) => `<table>${content}</table>`;
  const { markdown: shown } = await html(
    rows(
      '<thead><tr><th colspan=3>Sales<tr><th rowspan=2>Name<th colspan=2>2023<tr><th>Q1<th>Q2</thead><tr><td>Ant<td>1<td>2',
    ) +
      '<p>and' +
      rows(
        '<tr><th>Country<th>City<th>People<tr><td rowspan=3>Chile<td>Arica<td>1<tr><td>Temuco<td>2<tr><td colspan=2>in all<tr><td>Peru<td>Lima<td>3',
      ) +
      '<p>and' +
      rows('<tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d<tbody><tr><td>e<td>f'),
  );
  assert.is(
    shown,
    [
      'Sales',
      '| Name | 2023 / Q1 | 2023 / Q2 |\n| --- | --- | --- |\n| Ant | 1 | 2 |',
      'and',
      '| Country | City | People |\n| --- | --- | --- |\n| Chile | Arica | 1 |\n| Chile | Temuco | 2 |\n| Chile | in all |  |\n| Peru | Lima | 3 |',
      'and',
      '| a | b |\n| --- | --- |\n| a | c |\n| a | d |\n| e | f |\n',
    ].join('\n\n'),
  );
});

test('keeps superscript and subscript digits', async () => {
  const { markdown: shown } = await html(
    '<p>10<sup>6</sup> H<sub>2</sub>O 1<sup>st</sup> x<sup>2k</sup> y<sub>i,1</sub> <code>a<sup>2</sup></code> m<sup>2 </sup>or so<sup>[1]</sup> clause<sup><a href="#n2">2</a></sup>',
  );
  assert.is(shown, '10⁶ H₂O 1st x^(2k) y_(i,1) a² m² or so[1] clause²\n');
});

test('writes formulas on one line', async () => {
  const math = (content: string) => `<math><mrow>${content}</mrow></math>`;
  const page =
    `<p>Area ${math('<mi>A</mi><mo>=</mo><mi>π</mi><mo>&#x2062;</mo><msup><mi>r</mi><mn>2</mn></msup>')} or ` +
    `<span><math><semantics><mrow><mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow></mfrac><mspace width="1em"/><mi>x</mi></mrow><annotation>\\frac{1}{a+1} x</annotation></semantics></math></span><span aria-hidden="true">1a+1x</span>.</p>` +
    `<p>${math('<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub><mo>≤</mo><msqrt><mn>16</mn></msqrt>')}</p>` +
    `<table><tr><th>a</th><th>b</th></tr><tr><td>${math('<msup><mn>10</mn><mn>3</mn></msup>')}</td><td><m:math><m:mover><m:mi>x</m:mi><m:mo>¯</m:mo></m:mover></m:math></td></tr></table>` +
    `<p>${math(`${'<mrow>'.repeat(5000)}<mi>deep</mi>${'</mrow>'.repeat(5000)}<mi>er</mi>`)} end <math><mi>open`;
  assert.is(
    await markdown(page),
    'Area A=πr² or 1/(a+1) x.\n\n∑_(i=1)ⁿ x_i≤√(16)\n\n| a | b |\n| --- | --- |\n| 10³ | x̄ |\n\ndeeper end open\n',
  );
});

test('reads collapsed content and skips content beside the page', async () => {
  const panels = [
    '<div role="tabpanel" hidden>one</div>',
    '<section class="tab-pane" style="display:none">two</section>',
    '<div id="p3" aria-hidden="true">three</div>',
    '<dl><dt><button aria-expanded="false">Why?</button></dt><dd hidden>four</dd></dl>',
    '<div hidden="until-found">five</div>',
    '<div class="faq__answer" style="height:0;visibility:hidden">six</div>',
    '<details><summary>More</summary>seven</details>',
    '<h3>How?</h3><div><p style="display:none">eight</p></div>',
    '<dialog open>nine</dialog>',
  ];
  const beside = [
    '<div class="modal" role="dialog" hidden aria-labelledby="x">no</div>',
    '<div class="cookie-panel consent" style="display:none">no</div>',
    '<span aria-hidden="true">no</span>',
    '<div hidden>no</div>',
    '<button>no</button>',
    '<button aria-controls="main-menu">no</button>',
    '<dialog>no</dialog>',
  ];
  const { markdown: shown } = await html(
    `<button aria-controls="p3">Third</button>${panels.join('')}${beside.join('')}`,
  );
  assert.equal(
    shown.split(/\s+/).filter((word) => word !== ''),
    'Third one two three Why? four five six More seven ### How? eight nine'.split(' '),
  );
});

test.run();
