import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';
import { zip } from './support/office.js';

const test = suite('OpenDocument → Markdown');

const type = 'application/vnd.oasis.opendocument.text';

interface Extras {
  readonly styles?: string;
  readonly files?: Readonly<Record<string, string>>;
}

function odf(kind: 'text' | 'spreadsheet' | 'presentation', body: string, extras: Extras = {}) {
  const { styles = '', files = {} } = extras;
  const content =
    `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles>` +
    `<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
  return convert(type, zip({ 'content.xml': content, ...files }));
}

const p = (content: string) => `<text:p>${content}</text:p>`;
const cell = (content: string, attributes = '') =>
  `<table:table-cell ${attributes}>${p(content)}</table:table-cell>`;
const row = (...cells: readonly string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;

test('reads headings, paragraphs, spaces, links, notes and comments', async () => {
  const { markdown, title } = await odf(
    'text',
    `<text:tracked-changes>${p('gone')}</text:tracked-changes>` +
      '<text:p text:style-name="P1">The  book</text:p><text:h text:outline-level="2">Chapter</text:h>' +
      p(
        'a<text:s text:c="2"/>b<text:tab/>c<text:line-break/><text:a xlink:href="https://a.example">site</text:a>',
      ) +
      p(
        `x<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('A note')}</text:note-body></text:note>` +
          `<office:annotation><dc:creator>Ann</dc:creator><dc:date>2024</dc:date>${p('Really?')}</office:annotation>`,
      ) +
      p(`anchor<draw:frame><draw:text-box>${p('boxed')}</draw:text-box></draw:frame>`),
    {
      styles: '<style:style style:name="P1" style:parent-style-name="Title"/>',
      files: {
        'meta.xml': '<office:m><office:meta><dc:title>The book</dc:title></office:meta></office:m>',
      },
    },
  );
  assert.is(
    markdown,
    '# The book\n\n## Chapter\n\na  b\tc\n[site](https://a.example)\n\nx[^1][^2]\n\nanchor\n\nboxed\n\n[^1]: A note\n\n[^2]: Ann: Really?\n',
  );
  assert.is(title, 'The book');
});

test('numbers or marks lists by their styles', async () => {
  const item = (content: string) => `<text:list-item>${content}</text:list-item>`;
  const { markdown } = await odf(
    'text',
    `<text:list text:style-name="L">${item(p('one') + `<text:list>${item(p('below'))}</text:list>`)}${item(p('two'))}</text:list>`,
    {
      styles:
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>',
    },
  );
  assert.is(markdown, '1. one\n  - below\n2. two\n');
});

test('keeps the counted numbers of headings and clauses', async () => {
  const level = (kind: string, at: number, attributes: string) =>
    `<text:${kind} text:level="${at}" ${attributes}/>`;
  const h = (at: number, content: string, attributes = '') =>
    `<text:h text:outline-level="${at}" ${attributes}>${content}</text:h>`;
  const clauses = (attributes: string, ...items: readonly string[]) =>
    `<text:list text:style-name="C" ${attributes}>${items.map((each) => `<text:list-item>${each}</text:list-item>`).join('')}</text:list>`;
  const { markdown } = await odf(
    'text',
    [
      h(1, 'Terms'),
      h(2, 'Scope'),
      h(1, 'Payment'),
      h(2, 'Fees'),
      h(2, 'Late payment'),
      clauses('xml:id="c1"', p('interest'), p('a fee') + p('more on it') + clauses('', p('below'))),
      p('between'),
      clauses('text:continue-numbering="true"', p('costs')),
      clauses('', p('anew')),
      clauses('text:continue-list="c1"', p('and on')),
      h(2, 'Preface', 'text:is-list-header="true"'),
      h(2, '<text:number>9.9</text:number>Saved'),
      clauses('', h(3, 'Listed')),
    ].join(''),
    {
      files: {
        'styles.xml': `<office:s><office:styles><text:outline-style>${level('outline-level-style', 1, 'style:num-format="I" style:num-prefix="Article "')}${level('outline-level-style', 2, 'style:num-format="1" text:display-levels="2" style:num-suffix="."')}</text:outline-style></office:styles></office:s>`,
      },
      styles: `<text:list-style style:name="C">${level('list-level-style-number', 1, 'style:num-format="a" style:num-prefix="(" style:num-suffix=")"')}${level('list-level-style-number', 2, 'style:num-format="1" text:start-value="4" style:num-suffix="."')}</text:list-style>`,
    },
  );
  assert.is(
    markdown,
    [
      '# Article I Terms',
      '## I.1. Scope',
      '# Article II Payment',
      '## II.1. Fees',
      '## II.2. Late payment',
      '- (a) interest\n- (b) a fee',
      'more on it',
      '4. below',
      'between',
      '- (c) costs\n- (a) anew\n- (d) and on',
      '## Preface',
      '## 9.9 Saved',
      '### (a) Listed\n',
    ].join('\n\n'),
  );
});

test('keeps the meaning of shifted text and formulas', async () => {
  const span = (style: string, content: string) =>
    `<text:span text:style-name="${style}">${content}</text:span>`;
  const style = (name: string, position: string, parent = '') =>
    `<style:style style:name="${name}" style:parent-style-name="${parent}"><style:text-properties ${position}/></style:style>`;
  const formula = (href: string) =>
    `<draw:frame><draw:object xlink:href="${href}"/><draw:image/></draw:frame>`;
  const { markdown } = await odf(
    'text',
    p(`10${span('T1', '3')} H${span('T2', '2')}O 1${span('T1', 'st')} x${span('T3', '-1')}`) +
      p(`Dose ${formula('./Object 1')}, ${formula('./Object 2')}`) +
      `<table:table>${row(cell('Area'), cell(`m${span('T1', '2')} ${formula('Object 1')}`))}${row(cell('a'), cell('b'))}</table:table>`,
    {
      styles:
        style('T1', 'style:text-position="super 58%"') +
        style('T2', 'style:text-position="-33% 58%"') +
        style('T3', 'fo:color="#000"', 'T1'),
      files: {
        'Object 1/content.xml':
          '<math><semantics><mrow><mi>D</mi><mo>=</mo><mfrac><mn>12</mn><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow></mfrac></mrow><annotation>D={12} over {a+1}</annotation></semantics></math>',
        'Object 2/content.xml': '<office:document-content><chart/></office:document-content>',
      },
    },
  );
  assert.is(
    markdown,
    '10³ H₂O 1st x⁻¹\n\nDose D=12/(a+1),\n\n| Area | m² D=12/(a+1) |\n| --- | --- |\n| a | b |\n',
  );
});

/** A chart as saved by LibreOffice. */
const chart = (title: string) =>
  '<office:document-content><office:automatic-styles/><office:body><office:chart><chart:chart>' +
  `<chart:title>${p(title)}</chart:title><chart:plot-area><chart:axis><chart:title>${p('Millions')}</chart:title></chart:axis>` +
  `</chart:plot-area><table:table table:name="local-table"><table:table-header-rows>${row('<table:table-cell/>', cell('North'), cell('South'))}</table:table-header-rows>` +
  `<table:table-rows>${row(cell('Q1'), numberCell('1.50'), numberCell('2'))}${row(cell('Q2'), numberCell('NaN'), numberCell('4'))}</table:table-rows></table:table>` +
  '</chart:chart></office:chart></office:body></office:document-content>';
const numberCell = (value: string) =>
  `<table:table-cell office:value-type="float" office:value="${value}"/>`;
const object = (name: string) =>
  `<draw:frame><draw:object xlink:href="./${name}"/><draw:image/></draw:frame>`;
const files = { 'Object 1/content.xml': chart('Sales') };
const drawn =
  'Sales\nMillions\n\n|  | North | South |\n| --- | --- | --- |\n| Q1 | 1.5 | 2 |\n| Q2 |  | 4 |\n';

test('shows the values of charts in texts, cells of tables, slides and sheets', async () => {
  const text = await odf('text', p(`Before ${object('Object 1')}`) + object('Object 1'), { files });
  assert.is(text.markdown, `Before\n\n${drawn}\n${drawn}`);
  const inCell = await odf(
    'text',
    `<table:table>${row(cell('Chart'), cell(object('Object 1')))}${row(cell('a'), cell('b'))}</table:table>`,
    { files },
  );
  assert.is(
    inCell.markdown,
    '| Chart | Sales<br>Millions<br>· North · South<br>Q1 · 1.5 · 2<br>Q2 ·  · 4 |\n| --- | --- |\n| a | b |\n',
  );
  const slide = await odf('presentation', `<draw:page>${object('Object 1')}</draw:page>`, {
    files,
  });
  assert.is(slide.markdown, drawn);
  const sheet = await odf(
    'spreadsheet',
    `<table:table table:name="A"><table:shapes><draw:custom-shape>${p('a box')}</draw:custom-shape>${object('Object 1')}</table:shapes>` +
      `${row(cell('x'), `<table:table-cell>${object('Object 1')}</table:table-cell>`)}</table:table>`,
    { files },
  );
  assert.is(sheet.markdown, `## A\n\nx\n\n> a box\n\n${drawn}\n${drawn}`);
});

test('shows sheets within texts, and formulas on slides', async () => {
  const sheet = `<office:document-content><office:body><office:spreadsheet><table:table>${row(cell('a'), numberCell('1'))}${row(cell('b'), numberCell('2'))}</table:table></office:spreadsheet></office:body></office:document-content>`;
  const text = await odf('text', object('Object 2'), { files: { 'Object 2/content.xml': sheet } });
  assert.is(text.markdown, '| a | 1 |\n| --- | --- |\n| b | 2 |\n');
  const formula = '<math><msup><mi>x</mi><mn>2</mn></msup></math>';
  const slide = await odf('presentation', `<draw:page>${object('Object 3')}</draw:page>`, {
    files: { 'Object 3/content.xml': formula },
  });
  assert.is(slide.markdown, 'x²\n');
});

test('reads text boxes and lists in the cells of tables', async () => {
  const box = `<draw:frame><draw:text-box>${p('boxed')}</draw:text-box></draw:frame>`;
  const inner = `<table:table>${row(cell(`inner ${box}`))}</table:table>`;
  const { markdown } = await odf(
    'text',
    `<table:table>${row(cell(`with ${box}`), `<table:table-cell>${inner}${box}</table:table-cell>`)}${row(cell('a'), cell('b'))}</table:table>`,
  );
  assert.is(markdown, '| with<br>boxed | inner boxed<br>boxed |\n| --- | --- |\n| a | b |\n');
});

test('writes cells beyond the last column of a table below it', async () => {
  const empty = (count: number) => `<table:table-cell table:number-columns-repeated="${count}"/>`;
  const { markdown } = await odf(
    'spreadsheet',
    `<table:table table:name="A">${row(cell('a'), cell('b'))}<table:table-row table:number-rows-repeated="7">${empty(16_384)}</table:table-row>` +
      `${row(cell('start'), empty(1000), cell('far'), empty(100), cell('twice', 'table:number-columns-repeated="2"'))}</table:table>`,
  );
  assert.match(markdown, 'Row 9 from column ALN: far | twice | twice');
  const many = await odf(
    'spreadsheet',
    `<table:table table:name="A">${row(empty(1000), cell('word '.repeat(1000), 'table:number-columns-repeated="15000"'))}</table:table>`,
  );
  assert.ok(many.markdown.length < 2_000_000);
});

test('keeps the columns of merged cells', async () => {
  const { markdown } = await odf(
    'text',
    `<table:table><table:table-header-rows>${row(cell('A', 'table:number-columns-spanned="2"'), '<table:covered-table-cell/>', cell('B'))}</table:table-header-rows>` +
      `${row(cell('1'), cell('2|', 'table:number-columns-repeated="2"'))}</table:table>`,
  );
  assert.is(markdown, '| A |  | B |\n| --- | --- | --- |\n| 1 | 2\\| | 2\\| |\n');
});

test('writes ISO dates and plain numbers and leaves out endless repetitions', async () => {
  const typed = (kind: string, attributes: string) =>
    cell('shown', `office:value-type="${kind}" ${attributes}`);
  const { markdown, parts } = await odf(
    'spreadsheet',
    `<table:table table:name="First">${row(
      typed('date', 'office:date-value="2024-03-01T00:00:00"'),
      typed('time', 'office:time-value="PT09H30M00S"'),
      typed('percentage', 'office:value="0.07"'),
      typed('currency', 'office:value="5.5" office:currency="EUR"'),
      typed('float', 'office:value="1234.50"'),
      '<table:table-cell table:number-columns-repeated="16384"/>',
    )}${row(cell('a'), cell('b'))}<table:table-row table:number-rows-repeated="1048576"><table:table-cell/></table:table-row></table:table>` +
      `<table:table table:name="Second">${row(`<table:table-cell><office:annotation>${p('Check')}</office:annotation>${p('v')}</table:table-cell>`)}</table:table>`,
  );
  assert.is(
    markdown,
    '## First\n\n| 2024-03-01 | 09:30:00 | 7% | 5.5 EUR | 1234.5 |\n| --- | --- | --- | --- | --- |\n| a | b |  |  |  |\n\n## Second\n\nv\n\n> Comment: Check\n',
  );
  assert.equal(parts, [
    { line: 1, kind: 'sheet', number: 1, name: 'First' },
    { line: 7, kind: 'sheet', number: 2, name: 'Second' },
  ]);
});

test('puts the title of a slide first and its notes last', async () => {
  const frame = (role: string, content: string) =>
    `<draw:frame presentation:class="${role}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
  const { markdown, parts } = await odf(
    'presentation',
    `<draw:page/><draw:page>${frame('outline', `<text:list><text:list-item>${p('point')}</text:list-item></text:list>`)}` +
      `<draw:g><draw:custom-shape>${p('grouped')}</draw:custom-shape></draw:g>${frame('title', p('Plan'))}${frame('footer', p('us'))}` +
      `<presentation:notes>${frame('notes', p('Say hello'))}</presentation:notes></draw:page>`,
  );
  assert.is(markdown, '## Plan\n\n- point\n\ngrouped\n\n> Notes: Say hello\n');
  assert.equal(parts, [{ line: 1, kind: 'slide', number: 2 }]);
});

test('uses the pages of the last layout', async () => {
  const { parts } = await odf(
    'text',
    `${p('one')}<text:soft-page-break/>${p('two<text:soft-page-break/>')}${p('three')}`,
  );
  assert.equal(
    parts?.map(({ line, number }) => [line, number]),
    [
      [1, 1],
      [3, 2],
      [5, 3],
    ],
  );
  assert.is((await odf('text', p('one'))).parts, undefined);
});

test('refuses an encrypted or empty document and other archives', async () => {
  const manifest =
    '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
  const locked = odf('text', p('secret'), { files: { 'META-INF/manifest.xml': manifest } });
  assert.is((await refusal(locked)).code, 'document_encrypted');
  assert.is((await refusal(odf('text', p('')))).code, 'document_empty');
  assert.is((await refusal(convert(type, zip({ 'other.xml': '<x/>' })))).code, 'document_damaged');
});

test('ignores impossible numbers of spaces and levels', async () => {
  const { markdown } = await odf(
    'text',
    `${p('a<text:s text:c="-5"/>b')}<text:h text:outline-level="x">Head</text:h>`,
  );
  assert.is(markdown, 'a b\n\n# Head\n');
});

test('limits a long text repeated over a whole row', async () => {
  const long = 'word '.repeat(200_000).trim();
  const { markdown } = await odf(
    'spreadsheet',
    `<table:table table:name="A">${row(cell(long, 'table:number-columns-repeated="1000"'))}</table:table>`,
  );
  assert.ok(markdown.includes(long));
  assert.match(markdown, /exceeds the length limit/);
  assert.ok(markdown.length < 20_000_000);
});

test.run();
