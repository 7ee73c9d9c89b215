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

test('headings come from styles, what they are based on, and outline levels', async () => {
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

test('lists count on where they were left', async () => {
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

test('a table keeps its columns where cells are merged; a table of one cell is a frame', async () => {
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

test('links, fields, notes, comments and text boxes stay where they belong', async () => {
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

test('what was deleted or is hidden is no text; what was inserted is', async () => {
  const run = (content: string, properties = '') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t>${content}</w:t></w:r>`;
  const { markdown } = await docx(
    `<w:p>${run('a')}<w:del>${run('b')}</w:del><w:ins>${run('c')}</w:ins>${run('d', '<w:vanish/>')}` +
      `${run('e', '<w:vanish w:val="0"/>')}<w:r><w:tab/><w:noBreakHyphen/><w:br/><w:t>f &lt;g&gt;</w:t></w:r></w:p>`,
  );
  assert.is(markdown, 'ace\t-\nf <g>\n');
});

test('pages are those of the last layout; a break by hand is a rule', async () => {
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

test('a document without text, without its parts, or with broken XML is refused with its reason', async () => {
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

test.run();
