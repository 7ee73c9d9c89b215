import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';
import { officeFile, type Related } from './support/office.js';

const test = suite('PPTX → Markdown');

const type = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

interface Slide {
  readonly shapes: string;
  readonly related?: readonly Related[];
}

/** Slides in an order that differs from the names of their parts. */
function pptx(slides: readonly Slide[], parts: Readonly<Record<string, string>> = {}) {
  const names = slides.map((_, i) => `ppt/slides/slide${slides.length - i}.xml`);
  const ids = names.map((_, i) => `<p:sldId id="${256 + i}" r:id="s${i}"/>`);
  const main = 'ppt/presentation.xml';
  const all: Record<string, string> = {
    [main]: `<p:presentation><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    ...parts,
  };
  const related: Record<string, readonly Related[]> = {
    [main]: names.map((name, i) => ({ id: `s${i}`, kind: 'slide', target: `/${name}` })),
  };
  for (const [i, slide] of slides.entries()) {
    const name = names[i] ?? '';
    all[name] = slideXml(slide.shapes);
    related[name] = slide.related ?? [];
  }
  return convert(type, officeFile(main, all, related));
}

const slideXml = (shapes: string) =>
  `<p:sld xmlns:a="a"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
const p = (text: string, properties = '') =>
  `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (paragraphs: string, placeholder = '') =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
const title = (text: string) => shape(p(text), '<p:ph type="title"/>');

test('writes the texts of a slide design once, without placeholders', async () => {
  const footer = shape(p('ACME'), '<p:ph type="ftr"/>');
  const layout = 'ppt/slideLayouts/slideLayout1.xml';
  const related = [{ id: 'l', kind: 'slideLayout', target: `/${layout}` }];
  const { markdown } = await pptx(
    [
      { shapes: title('One') + footer, related },
      { shapes: title('Two') + footer, related },
    ],
    { [layout]: slideXml(shape(p('Click here'), '<p:ph type="title"/>') + shape(p('Draft'))) },
  );
  assert.is(markdown, '## One\n\nACME\n\nDraft\n\n## Two\n');
});

test('reads slides in display order, each with its title first', async () => {
  const { markdown, parts } = await pptx([
    { shapes: shape(p('Free') + p('text')) + title('One &amp; only') },
    { shapes: '' },
    { shapes: title('Three') + shape(p('7'), '<p:ph type="sldNum"/>') },
  ]);
  assert.is(markdown, '## One & only\n\nFree\ntext\n\n## Three\n');
  assert.equal(parts, [
    { line: 1, kind: 'slide', number: 1 },
    { line: 6, kind: 'slide', number: 3 },
  ]);
});

test('reads lists, links, line breaks and grouped shapes', async () => {
  const body =
    p('a') + p('b', '<a:pPr lvl="1"/>') + p('c', '<a:pPr><a:buAutoNum type="x"/></a:pPr>');
  const linked =
    '<a:p><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>site</a:t></a:r><a:br/><a:fld><a:t>2024</a:t></a:fld></a:p>';
  const { markdown } = await pptx([
    {
      shapes: shape(body, '<p:ph idx="1"/>') + `<p:grpSp>${shape(linked)}</p:grpSp>`,
      related: [{ id: 'l', kind: 'hyperlink', target: 'https://a.example', external: true }],
    },
  ]);
  assert.is(markdown, '- a\n  - b\n1. c\n\n[site](https://a.example)\n2024\n');
});

test('keeps the meaning of shifted text and formulas', async () => {
  const run = (text: string, properties = '') =>
    `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`;
  const math =
    '<a14:m><m:oMathPara><m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara></a14:m>';
  const { markdown } = await pptx([
    {
      shapes: shape(
        `<a:p>${run('10')}${run('3', 'baseline="30000"')}${run(' H')}${run('2', 'baseline="-25000"')}${run('O ')}${math}</a:p>`,
      ),
    },
  ]);
  assert.is(markdown, '10³ H₂O a/2\n');
});

test('keeps the columns of merged cells', async () => {
  const cell = (text: string, attributes = '') =>
    `<a:tc ${attributes}><a:txBody>${p(text)}</a:txBody></a:tc>`;
  const table = `<a:tbl><a:tr>${cell('A', 'gridSpan="2"')}${cell('', 'hMerge="1"')}${cell('B')}</a:tr><a:tr>${cell('1')}${cell('2')}${cell('3')}</a:tr></a:tbl>`;
  const { markdown } = await pptx([
    {
      shapes: `<p:graphicFrame><a:graphic><a:graphicData>${table}</a:graphicData></a:graphic></p:graphicFrame>`,
    },
  ]);
  assert.is(markdown, '| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n');
});

test('reads diagrams, charts, notes and comments from separate parts', async () => {
  const frame = (content: string) =>
    `<p:graphicFrame><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
  const { markdown } = await pptx(
    [
      {
        shapes: frame('<dgm:relIds r:dm="d"/>') + frame('<c:chart r:id="c"/>'),
        related: [
          { id: 'd', kind: 'diagramData', target: '../diagrams/data1.xml' },
          { id: 'c', kind: 'chart', target: '../charts/chart1.xml' },
          { id: 'n', kind: 'notesSlide', target: '../notes/n1.xml' },
          { id: 'k', kind: 'comments', target: '../comments/c1.xml' },
        ],
      },
    ],
    {
      'ppt/diagrams/data1.xml': `<dgm:x xmlns:a="a"><dgm:pt>${p('Plan')}</dgm:pt><dgm:pt>${p('Build')}</dgm:pt></dgm:x>`,
      'ppt/charts/chart1.xml': '<c:x><c:strCache><c:pt><c:v>Sales</c:v></c:pt></c:strCache></c:x>',
      'ppt/notes/n1.xml': slideXml(
        shape(p('Say hello'), '<p:ph type="body"/>') + shape(p('1'), '<p:ph type="sldNum"/>'),
      ),
      'ppt/comments/c1.xml': '<p:cmLst><p:cm><p:text>Shorter!</p:text></p:cm></p:cmLst>',
    },
  );
  assert.is(markdown, '- Plan\n- Build\n- Sales\n\n> Notes: Say hello\n\n> Comment: Shorter!\n');
});

test('rejects a presentation of pictures as empty, a broken slide as damaged', async () => {
  assert.is((await refusal(pptx([{ shapes: '<p:pic/>' }]))).code, 'document_empty');
  assert.is((await refusal(pptx([{ shapes: '<p:pic>' }]))).code, 'document_damaged');
});

test('does not overflow the stack on a chain of layouts', async () => {
  const names = Array.from({ length: 12_000 }, (_, i) => `ppt/layouts/${i}.xml`);
  const layout = (i: number) => [{ id: 'l', kind: 'slideLayout', target: `/ppt/layouts/${i}.xml` }];
  const main = 'ppt/presentation.xml';
  const slide = 'ppt/slides/1.xml';
  const { markdown } = await convert(
    type,
    officeFile(
      main,
      {
        [main]: '<p:presentation><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst></p:presentation>',
        [slide]: slideXml(shape(p('found'))),
        ...Object.fromEntries(names.map((each) => [each, slideXml('')])),
      },
      {
        [main]: [{ id: 's', kind: 'slide', target: `/${slide}` }],
        [slide]: layout(0),
        ...Object.fromEntries(names.map((each, i) => [each, layout(i + 1)])),
      },
    ),
  );
  assert.is(markdown, 'found\n');
});

test('ignores a negative depth', async () => {
  const { markdown } = await pptx([
    { shapes: shape(p('item', '<a:pPr lvl="-1"><a:buChar char="x"/></a:pPr>')) },
  ]);
  assert.is(markdown, '- item\n');
});

test.run();
