import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';
import { officeFile, type Related } from './support/office.js';

const test = suite('DOCX → Markdown');

const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const name = 'word/document.xml';

function docx(
  body: string,
  parts: Readonly<Record<string, string>> = {},
  related: readonly Related[] = [],
) {
  const document = `<w:document xmlns:w="w" xmlns:r="r"><w:body>${body}</w:body></w:document>`;
  return convert(
    type,
    officeFile(
      name,
      { [name]: document, ...parts },
      {
        '': [{ id: 'r2', kind: 'core-properties', target: 'docProps/core.xml' }],
        [name]: related,
      },
    ),
  );
}

const p = (content: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${content}</w:t></w:r></w:p>`;
const styled = (style: string) => `<w:pStyle w:val="${style}"/>`;
const item = (list: number, depth: number) =>
  `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`;

const styles = `<w:styles xmlns:w="w">
  <w:style w:styleId="a"><w:name w:val="heading 1"/></w:style>
  <w:style w:styleId="b"><w:name w:val="Chapter"/><w:basedOn w:val="a"/></w:style>
  <w:style w:styleId="c"><w:name w:val="Clause"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
  <w:style w:styleId="loop"><w:name w:val="Loop"/><w:basedOn w:val="loop"/></w:style></w:styles>`;
const numbering = `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7">
  <w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl>
  <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`;

test('reads headings from styles, their base styles and outline levels', async () => {
  const { markdown, title } = await docx(
    p('First', styled('a')) +
      p('Second', styled('b')) +
      p('Third', styled('c')) +
      p('Named', styled('Heading2')) +
      p('# text', styled('loop')),
    {
      'word/styles.xml': styles,
      'docProps/core.xml': '<c xmlns:dc="dc"><dc:title>The plan</dc:title></c>',
    },
    [{ id: 's', kind: 'styles', target: 'styles.xml' }],
  );
  assert.is(markdown, '# First\n\n# Second\n\n### Third\n\n## Named\n\n\\# text\n');
  assert.is(title, 'The plan');
});

test('continues the numbers of an interrupted list', async () => {
  const { markdown } = await docx(
    p('one', item(1, 0)) +
      p('below', item(1, 1)) +
      p('text') +
      p('two', item(1, 0)) +
      p('no', item(0, 0)),
    { 'word/numbering.xml': numbering },
    [{ id: 'n', kind: 'numbering', target: '/word/numbering.xml' }],
  );
  assert.is(markdown, '3. one\n  - below\n\ntext\n\n4. two\n\nno\n');
});

/** A document with numbered levels of list 1. `lists` adds other lists. */
function numbered(body: string, levels: readonly string[], lists = '', linked = '') {
  const shown = levels.map((level, depth) => `<w:lvl w:ilvl="${depth}">${level}</w:lvl>`).join('');
  return docx(
    body,
    {
      'word/numbering.xml': `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7">${shown}</w:abstractNum>
        ${linked}<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>${lists}</w:numbering>`,
      'word/styles.xml': `<w:styles xmlns:w="w">
        <w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
        <w:style w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>`,
    },
    [
      { id: 'n', kind: 'numbering', target: 'numbering.xml' },
      { id: 's', kind: 'styles', target: 'styles.xml' },
    ],
  );
}
const level = (format: string, text: string, more = '') =>
  `<w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/>`;

test('keeps the counted numbers of headings and clauses', async () => {
  const { markdown } = await numbered(
    p('Terms', styled('H1')) +
      p('Scope', styled('H2')) +
      p('Payment', styled('H1')) +
      p('Fees', styled('H2')) +
      p('', styled('H2')) +
      p('Late payment', styled('H2')) +
      p('interest', item(1, 2)) +
      p('a fee', item(1, 2)) +
      p('Law', styled('H2')) +
      p('costs', item(1, 2)),
    [
      level('upperRoman', 'Article %1', '<w:pStyle w:val="H1"/>'),
      level('decimal', '%1.%2', '<w:pStyle w:val="H2"/><w:isLgl/>'),
      level('lowerLetter', '(%3)'),
    ],
  );
  assert.is(
    markdown,
    [
      '# Article I Terms',
      '## 1.1 Scope',
      '# Article II Payment',
      '## 2.1 Fees',
      '## 2.3 Late payment',
      '- (a) interest\n- (b) a fee',
      '## 2.4 Law',
      '- (a) costs\n',
    ].join('\n\n'),
  );
});

test('continues the count of lists unless one restarts', async () => {
  const other = (id: number, inside = '') =>
    `<w:num w:numId="${id}"><w:abstractNumId w:val="7"/>${inside}</w:num>`;
  const anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>';
  const { markdown } = await numbered(
    [1, 2, 3, 3, 4].map((list) => p(`of ${list}`, item(list, 0))).join(''),
    [level('decimal', '%1)')],
    other(2) + other(3, anew) + '<w:num w:numId="4"><w:abstractNumId w:val="8"/></w:num>',
    `<w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="Own"/></w:abstractNum>
     <w:abstractNum w:abstractNumId="9"><w:styleLink w:val="Own"/><w:lvl w:ilvl="0">${level('decimalZero', '§ %1')}</w:lvl></w:abstractNum>`,
  );
  assert.is(markdown, '1) of 1\n2) of 2\n5) of 3\n6) of 3\n- § 01 of 4\n');
});

test('joins paragraphs at a deleted or moved paragraph mark', async () => {
  const joined = (mark: string, text: string) => p(text, `<w:rPr><w:${mark} w:id="1"/></w:rPr>`);
  const moved = `<w:p><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom></w:p><w:p><w:moveTo><w:r><w:t>moved here</w:t></w:r></w:moveTo></w:p>`;
  const { markdown } = await docx(
    joined('del', 'one ') + joined('moveFrom', 'two ') + p('three') + moved + joined('del', 'last'),
  );
  assert.is(markdown, 'one two three\n\nmoved here\n\nlast\n');
});

test('numbers headings by the levels that name their styles', async () => {
  const named = [1, 2]
    .map((n) => `<w:style w:styleId="N${n}"><w:name w:val="heading ${n}"/></w:style>`)
    .join('');
  const lvl = (depth: number, inside: string) => `<w:lvl w:ilvl="${depth}">${inside}</w:lvl>`;
  const { markdown } = await docx(
    p('One', styled('N1')) +
      p('below', styled('N2')) +
      p('a', item(1, 2)) +
      p('further', styled('N2')) +
      p('b', item(1, 2)) +
      p('Two', styled('N1')) +
      p('c', item(1, 2)),
    {
      'word/numbering.xml': `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="7">
        ${lvl(2, level('lowerRoman', '%3)', '<w:lvlRestart w:val="1"/>'))}${lvl(0, level('decimal', '%1', '<w:pStyle w:val="N1"/>'))}
        ${lvl(1, level('upperLetter', '%1.%2', '<w:pStyle w:val="N2"/><w:isLgl w:val="0"/>'))}</w:abstractNum>
        <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`,
      'word/styles.xml': `<w:styles xmlns:w="w">${named}</w:styles>`,
    },
    [
      { id: 'n', kind: 'numbering', target: 'numbering.xml' },
      { id: 's', kind: 'styles', target: 'styles.xml' },
    ],
  );
  assert.is(
    markdown,
    '# 1 One\n\n## 1.A below\n\n- i) a\n\n## 1.B further\n\n- ii) b\n\n# 2 Two\n\n- i) c\n',
  );
});

test('reads alternatives once and skips deleted rows, cells and notes', async () => {
  const either = (choice: string, fallback: string) =>
    `<mc:AlternateContent>${choice === '' ? '' : `<mc:Choice>${choice}</mc:Choice>`}<mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;
  const tc = (content: string, properties = '') =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
  const tr = (cells: string, properties = '') =>
    `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;
  const inner = `<w:tbl>${tr(tc(p('gone')), '<w:del/>')}${tr(tc(p('x')) + tc(p('y')))}</w:tbl>`;
  const boxed = `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>Joined </w:t></w:r><w:r>${either(`<w:txbxContent>${p('Box')}</w:txbxContent>`, `<w:txbxContent>${p('Box')}</w:txbxContent>`)}</w:r></w:p>`;
  const { markdown } = await docx(
    either(p('chosen'), p('other')) +
      either('', p('only form')) +
      boxed +
      p('up') +
      `<w:tbl>${tr(tc(p('A')) + tc(p('cut'), '<w:cellDel/>') + tc(either(p('B'), p('B'))))}${tr(tc(p('1')) + tc(inner + '<m:oMathPara><m:oMath><m:r><m:t>z=2</m:t></m:r></m:oMath></m:oMathPara>'))}</w:tbl>` +
      '<m:oMathPara><m:oMath><m:r><m:t>E=m</m:t></m:r></m:oMath></m:oMathPara>' +
      '<w:p><w:r><w:t>Noted</w:t><w:footnoteReference w:id="1"/></w:r><w:del><w:r><w:footnoteReference w:id="2"/></w:r></w:del></w:p>',
    {
      'word/footnotes.xml': `<w:footnotes xmlns:w="w"><w:footnote w:id="1">${p('kept ', '<w:rPr><w:del/></w:rPr>')}<w:p><w:r><w:t>note</w:t></w:r><w:moveFrom><w:r><w:t> moved</w:t></w:r></w:moveFrom></w:p></w:footnote><w:footnote w:id="2">${p('deleted')}</w:footnote></w:footnotes>`,
    },
    [{ id: 'f', kind: 'footnotes', target: 'footnotes.xml' }],
  );
  assert.is(
    markdown,
    'chosen\n\nonly form\n\nBox\n\nJoined up\n\n| A | B |\n| --- | --- |\n| 1 | x · y<br>z=2 |\n\nE=m\n\nNoted[^1]\n\n[^1]: kept note\n',
  );
});

test('writes formulas, symbols and form boxes as text', async () => {
  const m = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${m('i=1')}</m:sub><m:sup>${m('n')}</m:sup><m:e>${m('x')}</m:e></m:nary>`;
  const within = `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${m('a')}</m:e></m:d>`;
  const sym = (font: string, code: string) => `<w:sym w:font="${font}" w:char="${code}"/>`;
  const box = (on: number) =>
    `<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="${on}"/></w:checkBox></w:ffData></w:fldChar><w:fldChar w:fldCharType="end"/>`;
  const ticked = (state: number) =>
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${state}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:sym w:font="Own" w:char="F001"/></w:r></w:sdtContent></w:sdt>`;
  const choice =
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList></w:ffData></w:fldChar><w:fldChar w:fldCharType="end"/></w:r>';
  const { markdown } = await docx(
    `<w:p>${ticked(1)}${ticked(0)}${choice}</w:p><w:p><m:oMath>${sum}${within}</m:oMath></w:p><w:p><w:r><w:t>5 </w:t>${sym('Symbol', 'F06D')}<w:t>g </w:t>${sym('Wingdings', 'F0FC')}${sym('Webdings', 'F061')}${box(1)}${box(0)}</w:r></w:p>`,
  );
  assert.is(markdown, '☒☐blue\n\n∑_(i=1)ⁿ x[a]\n\n5 μg ✓•☒☐\n');
});

test('keeps the columns of merged cells and unwraps a table of one cell', async () => {
  const cell = (text: string, properties = '') =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
  const inner = `<w:tbl><w:tr>${cell('x')}${cell('y')}</w:tr></w:tbl>`;
  const { markdown } = await docx(
    `<w:tbl><w:tr>${cell('A', '<w:gridSpan w:val="2"/>')}${cell('B')}</w:tr>
     <w:tr>${cell('1', '<w:vMerge w:val="restart"/>')}${cell('2|')}<w:tc>${p('3')}${inner}</w:tc></w:tr>
     <w:tr>${cell('again', '<w:vMerge/>')}${cell('4')}${cell('5')}</w:tr></w:tbl>
     <w:tbl><w:tr>${cell('Framed', '')}</w:tr></w:tbl>`,
  );
  assert.is(
    markdown,
    '| A |  | B |\n| --- | --- | --- |\n| 1 | 2\\| | 3<br>x · y |\n|  | 4 | 5 |\n\nFramed\n',
  );
});

test('keeps links, fields, notes, comments and text boxes in place', async () => {
  const field =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://b.example" </w:instrText></w:r>' +
    '<w:r><w:fldChar w:fldCharType="separate"/><w:t>there</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
  const box = '<wps:txbx><w:txbxContent>' + p('In the box') + '</w:txbxContent></wps:txbx>';
  const { markdown } = await docx(
    `<w:p><w:hyperlink r:id="l"><w:r><w:t>here</w:t></w:r></w:hyperlink><w:r><w:t xml:space="preserve"> or </w:t></w:r>${field}
     <w:r><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r>
     <w:r><mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r></w:p>`,
    {
      'word/footnotes.xml': `<w:footnotes xmlns:w="w"><w:footnote w:id="2">${p('A note')}</w:footnote></w:footnotes>`,
      'word/comments.xml': `<w:comments xmlns:w="w"><w:comment w:id="0" w:author="Ann">${p('Really?')}</w:comment></w:comments>`,
    },
    [
      { id: 'l', kind: 'hyperlink', target: 'https://a.example', external: true },
      { id: 'f', kind: 'footnotes', target: 'footnotes.xml' },
      { id: 'c', kind: 'comments', target: 'comments.xml' },
    ],
  );
  assert.is(
    markdown,
    '[here](https://a.example) or [there](https://b.example)[^2][^comment-0]\n\nIn the box\n\n[^2]: A note\n\n[^comment-0]: Ann: Really?\n',
  );
});

test('leaves out deleted and hidden text and keeps inserted text', async () => {
  const run = (content: string, properties = '') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t>${content}</w:t></w:r>`;
  const { markdown } = await docx(
    `<w:p>${run('a')}<w:del>${run('b')}</w:del><w:ins>${run('c')}</w:ins>${run('d', '<w:vanish/>')}` +
      `${run('e', '<w:vanish w:val="0"/>')}<w:r><w:tab/><w:noBreakHyphen/><w:br/><w:t>f &lt;g&gt;</w:t></w:r></w:p>`,
  );
  assert.is(markdown, 'ace\t-\nf <g>\n');
});

test('keeps the columns of rows in content controls and of late rows', async () => {
  const cell = (content: string) => `<w:tc>${p(content)}</w:tc>`;
  const { markdown } = await docx(
    `<w:tbl><w:tr>${cell('Item')}${cell('Size')}${cell('Price')}</w:tr>
     <w:sdt><w:sdtPr/><w:sdtContent><w:tr>${cell('Anvil')}${cell('2')}${cell('120')}</w:tr></w:sdtContent></w:sdt>
     <w:tr><w:trPr><w:gridBefore w:val="2"/></w:trPr>${cell('77')}</w:tr>
     <w:tr><w:trPr><w:del w:id="1"/></w:trPr>${cell('gone')}</w:tr></w:tbl>`,
  );
  assert.match(markdown, /\| Anvil \| 2 \| 120 \|/);
  assert.match(markdown, /\|\s+\|\s+\| 77 \|/);
  assert.not.match(markdown, 'gone');
});

test('keeps the values of fractions, powers and shifted digits', async () => {
  const m = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const shifted = (text: string, kind: string) =>
    `<w:r><w:rPr><w:vertAlign w:val="${kind}"/></w:rPr><w:t>${text}</w:t></w:r>`;
  const { markdown } = await docx(
    `<w:p xmlns:m="m"><m:oMath>${m('D=')}<m:f><m:num>${m('12')}</m:num><m:den>${m('3')}</m:den></m:f></m:oMath>
     <w:r><w:t xml:space="preserve">; </w:t></w:r>
     <m:oMath><m:sSup><m:e>${m('10')}</m:e><m:sup>${m('3')}</m:sup></m:sSup></m:oMath>
     <w:r><w:t xml:space="preserve">; 10</w:t></w:r>${shifted('6', 'superscript')}
     <w:r><w:t xml:space="preserve">; CO</w:t></w:r>${shifted('2', 'subscript')}
     <w:r><w:t xml:space="preserve">; 1</w:t></w:r>${shifted('st', 'superscript')}</w:p>`,
  );
  assert.is(markdown, 'D=12/3; 10³; 10⁶; CO₂; 1st\n');
});

test('uses the pages of the last layout and writes manual breaks as rules', async () => {
  const broken = '<w:p><w:r><w:lastRenderedPageBreak/><w:t>';
  const { markdown, parts } = await docx(
    `${p('one')}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${broken}two</w:t></w:r></w:p>${p('two again')}`,
  );
  assert.is(markdown, 'one\n\n---\n\ntwo\n\ntwo again\n');
  assert.equal(parts, [
    { line: 1, kind: 'page', number: 1 },
    { line: 5, kind: 'page', number: 2 },
  ]);
  assert.is((await docx(p('one'))).parts, undefined);
});

test('rejects a document without text or parts, or with broken XML', async () => {
  assert.is((await refusal(docx('<w:p/>'))).code, 'document_empty');
  assert.is((await refusal(docx('<w:p><w:r>'))).code, 'document_damaged');
  assert.is((await refusal(convert(type, officeFile('x.xml', {})))).code, 'document_damaged');
  assert.is(
    (await refusal(convert(type, officeFile('x.xml', { 'x.xml': '<other/>' })))).code,
    'document_damaged',
  );
  const deep = '<w:sdt>'.repeat(100_000);
  assert.is((await refusal(docx(deep))).code, 'document_too_complex');
});

test('writes a chart as a table of its values', async () => {
  const cache = (kind: string, points: readonly (string | number)[], code = '') =>
    `<c:${kind}Ref><c:${kind}Cache>${code}${points.map((point, at) => `<c:pt idx="${at}"><c:v>${point}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`;
  const quarters = `<c:cat>${cache('str', ['Q1', 'Q2'])}</c:cat>`;
  const series = (called: string, values: readonly number[], code = '') =>
    `<c:ser><c:tx>${cache('str', [called])}</c:tx>${quarters}<c:val>${cache('num', values, code)}</c:val></c:ser>`;
  const title = (text: string) =>
    `<c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title>`;
  const chart = `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart>${title('Sales')}<c:plotArea><c:barChart>
    ${series('North', [1, 2.5])}${series('South', [0.25, 0.5], '<c:formatCode>0%</c:formatCode>')}</c:barChart>
    <c:valAx>${title('Millions')}</c:valAx></c:plotArea></c:chart></c:chartSpace>`;
  const { markdown } = await docx(
    '<w:p><w:r><w:drawing><c:chart r:id="k"/></w:drawing></w:r></w:p>',
    { 'word/charts/chart1.xml': chart },
    [{ id: 'k', kind: 'chart', target: 'charts/chart1.xml' }],
  );
  assert.is(
    markdown,
    'Sales\nMillions\n\n|  | North | South |\n| --- | --- | --- |\n| Q1 | 1 | 25% |\n| Q2 | 2.5 | 50% |\n',
  );
  const drawing = '<w:p><w:r><w:drawing><c:chart r:id="k"/></w:drawing></w:r></w:p>';
  const cell = (content: string) => `<w:tc>${content}</w:tc>`;
  const inCell = await docx(
    `<w:tbl><w:tr>${cell('<w:p><w:r><w:t>Chart</w:t></w:r></w:p>')}${cell(drawing)}</w:tr></w:tbl>`,
    { 'word/charts/chart1.xml': chart },
    [{ id: 'k', kind: 'chart', target: 'charts/chart1.xml' }],
  );
  assert.is(
    inCell.markdown,
    '| Chart | Sales<br>Millions<br>· North · South<br>Q1 · 1 · 25%<br>Q2 · 2.5 · 50% |\n| --- | --- |\n',
  );
});

test.run();
