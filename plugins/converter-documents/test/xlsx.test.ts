import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';
import { officeFile, type Related } from './support/office.js';

const test = suite('XLSX → Markdown');

const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const main = 'xl/workbook.xml';

interface Sheet {
  readonly name: string;
  readonly rows: string;
  /** The XML after the cells. */
  readonly behind?: string;
  readonly related?: readonly Related[];
}

interface Extras {
  readonly properties?: string;
  readonly parts?: Readonly<Record<string, string>>;
}

function xlsx(sheets: readonly Sheet[], { properties = '', parts = {} }: Extras = {}) {
  const list = sheets.map(
    ({ name }, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="s${i}"/>`,
  );
  const all: Record<string, string> = {
    [main]: `<workbook>${properties}<sheets>${list.join('')}</sheets></workbook>`,
    ...parts,
  };
  const related: Record<string, readonly Related[]> = {
    [main]: [
      ...sheets.map((_, i) => ({ id: `s${i}`, kind: 'worksheet', target: `worksheets/${i}.xml` })),
      { id: 't', kind: 'sharedStrings', target: 'sharedStrings.xml' },
      { id: 'y', kind: 'styles', target: 'styles.xml' },
    ],
  };
  for (const [i, { rows, behind = '', related: ofSheet = [] }] of sheets.entries()) {
    const name = `xl/worksheets/${i}.xml`;
    all[name] = `<worksheet><sheetData>${rows}</sheetData>${behind}</worksheet>`;
    related[name] = ofSheet;
  }
  return convert(type, officeFile(main, all, related));
}

const row = (number: number, ...cells: string[]) => `<row r="${number}">${cells.join('')}</row>`;
const text = (reference: string, content: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${content}</t></is></c>`;
const number = (reference: string, value: number | string, style = 0) =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;

test('reads each sheet as a part and each region as a table', async () => {
  const { markdown, parts } = await xlsx([
    {
      name: 'Costs &amp; more',
      rows:
        row(2, text('B2', 'Costs of 2024')) +
        row(3, text('B3', 'Item'), text('D3', 'Price')) +
        row(4, text('B4', 'a|b'), number('D4', 1.5)) +
        row(9, text('A9', 'alone'), text('B9', 'x')),
    },
    { name: 'Nothing', rows: row(1) },
    { name: 'Last', rows: row(1, number('A1', '0.3')) },
  ]);
  assert.is(
    markdown,
    '## Costs & more\n\nCosts of 2024\n\n| Item | Price |\n| --- | --- |\n| a\\|b | 1.5 |\n\n| alone | x |\n| --- | --- |\n\n## Last\n\n0.3\n',
  );
  assert.equal(parts, [
    { line: 1, kind: 'sheet', number: 1, name: 'Costs & more' },
    { line: 12, kind: 'sheet', number: 3, name: 'Last' },
  ]);
});

const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/>
  <numFmt numFmtId="165" formatCode="[h]:mm"/><numFmt numFmtId="166" formatCode="&quot;day &quot;0.00"/></numFmts>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="165"/><xf numFmtId="9"/><xf numFmtId="166"/></cellXfs></styleSheet>`;

test('writes dates and times in ISO for both epochs', async () => {
  const cells = [
    number('A1', 45_352, 1),
    number('B1', 45_352.75, 2),
    number('C1', 0.5, 3),
    number('D1', 1.25, 4),
    number('E1', 0.07, 5),
    number('F1', 7, 6),
    number('G1', 1, 1),
    '<c r="H1" t="d"><v>2024-03-01</v></c>',
  ];
  const sheets = [{ name: 'S', rows: row(1, ...cells) }];
  const parts = { 'xl/styles.xml': styles };
  const head = async (properties: string) =>
    (await xlsx(sheets, { properties, parts })).markdown.split('\n')[2];
  assert.is(
    await head(''),
    '| 2024-03-01 | 2024-03-01T18:00:00 | 12:00:00 | 30:00:00 | 7% | 7 | 1900-01-01 | 2024-03-01 |',
  );
  assert.match((await head('<workbookPr date1904="1"/>')) ?? '', /^\| 2028-03-02 \|/);
});

test('reads shared and rich texts, results, errors and booleans', async () => {
  const { markdown } = await xlsx(
    [
      {
        name: 'S',
        rows: row(
          1,
          '<c r="A1" t="s"><v>1</v></c><c r="B1" t="str"><f>A1</f><v>made</v></c><c r="C1" t="b"><v>1</v></c>' +
            '<c r="D1" t="e"><v>#N/A</v></c><c r="E1"><f>SUM(A1)</f></c><c><v>6</v></c>',
        ),
      },
    ],
    {
      parts: {
        'xl/sharedStrings.xml':
          '<sst><si><t>zero</t></si><si><r><t>one </t></r><r><t>more</t></r><rPh><t>READ</t></rPh></si></sst>',
      },
    },
  );
  assert.is(markdown.split('\n')[2], '| one more | made | TRUE | #N/A | =SUM(A1) | 6 |');
});

test('reads links, comments and text boxes', async () => {
  const { markdown } = await xlsx(
    [
      {
        name: 'S',
        rows: row(1, text('A1', 'site'), text('B1', 'b')),
        behind: '<hyperlinks><hyperlink ref="A1" r:id="l"/></hyperlinks>',
        related: [
          { id: 'l', kind: 'hyperlink', target: 'https://a.example', external: true },
          { id: 'c', kind: 'comments', target: '../comments1.xml' },
          { id: 'd', kind: 'drawing', target: '../drawings/drawing1.xml' },
        ],
      },
    ],
    {
      parts: {
        'xl/comments1.xml':
          '<comments><commentList><comment ref="B1"><text><t>Check</t></text></comment></commentList></comments>',
        'xl/drawings/drawing1.xml': '<d xmlns:a="a"><a:p><a:r><a:t>Boxed</a:t></a:r></a:p></d>',
      },
    },
  );
  assert.is(
    markdown,
    '## S\n\n| [site](https://a.example) | b |\n| --- | --- |\n\n> Comment on B1: Check\n\n> Boxed\n',
  );
});

test('converts the first rows of a huge sheet and reports the rest', async () => {
  const rows = Array.from(
    { length: 200_010 },
    () => '<row><c><v>1</v></c><c><v>2</v></c></row>',
  ).join('');
  const { markdown } = await xlsx([{ name: 'S', rows }]);
  assert.is(markdown.split('\n').filter((line) => line === '| 1 | 2 |').length, 200_000);
  assert.match(markdown, /\n> The sheet has more rows; the first 200000 are converted\.\n$/);
});

test('rejects an empty workbook as empty and a binary one by its format', async () => {
  assert.is(
    (await refusal(xlsx([{ name: 'S', rows: row(1, '<c r="A1" s="1"/>') }]))).code,
    'document_empty',
  );
  const binary = await refusal(
    convert(type, officeFile('xl/workbook.bin', { 'xl/workbook.bin': '.' })),
  );
  assert.is(binary.code, 'document_damaged');
  assert.match(binary.message, /binary/);
});

test('reads long shared texts and formats without slowing down', async () => {
  const begun = performance.now();
  const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(50_000);
  const { markdown } = await xlsx(
    [{ name: 'A', rows: `${rows}<row><c s="0"><v>1</v></c></row>` }],
    {
      parts: {
        'xl/sharedStrings.xml': `<sst><si><t>${' '.repeat(1_000_000)}</t></si></sst>`,
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(500_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
      },
    },
  );
  assert.is(markdown, '## A\n\n1\n');
  assert.ok(performance.now() - begun < 8000);
});

test('formats numbers and removes the error of binary fractions', async () => {
  const codes = [
    '00000',
    '000-00-0000',
    '"INV-"0000',
    '(###) 000-0000',
    '# ?/?',
    '#,##0.00',
    '0.0E+00',
  ];
  const formats = codes.map(
    (code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const cellFormats = codes.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('');
  const values = [1234, 12345678, 7, 5551234567, 0.5, 1234.5, 0.000123];
  const { markdown } = await xlsx(
    [
      {
        name: 'S',
        rows:
          row(1, text('A1', 'x'), text('B1', 'y')) +
          values
            .map((value, i) =>
              row(i + 2, text(`A${i + 2}`, 'v'), number(`B${i + 2}`, value, i + 1)),
            )
            .join('') +
          row(20, number('A20', 0.1 + 0.2), number('B20', '1E21')) +
          row(21, number('A21', -7, 3), number('B21', 123456789, 1)),
      },
    ],
    {
      parts: {
        'xl/styles.xml': `<styleSheet><numFmts>${formats.join('')}</numFmts><cellXfs><xf/>${cellFormats}</cellXfs></styleSheet>`,
      },
    },
  );
  const shown = [...markdown.matchAll(/^\| v \| (.*) \|$/gm)].map(([, value]) => value);
  assert.equal(shown, [
    '01234',
    '012-34-5678',
    'INV-0007',
    '(555) 123-4567',
    '0.5',
    '1234.5',
    '0.000123',
  ]);
  assert.match(markdown, '| 0.3 | 1e+21 |');
  assert.match(markdown, '| -INV-0007 | 123456789 |');
});

test('reads characters that XML cannot hold and cells beyond the last column', async () => {
  const { markdown } = await xlsx([
    {
      name: 'S',
      rows: row(
        1,
        text('A1', 'one_x000D_\ntwo _x0041_ _x005F_x0041_'),
        text('B1', 'b'),
        text('ALM1', 'far'),
        text('XFD1', 'farthest'),
      ),
    },
  ]);
  assert.match(markdown, 'one<br>two A _x0041_');
  assert.match(markdown, 'Row 1 from column ALM: far | farthest');
});

test('reads threaded comments once with their authors', async () => {
  const copy =
    '[Threaded comment]\n\nYour version of Excel allows you to read this.\n\nComment:\n    Is it so?';
  const comments = (content: string) =>
    `<comments><commentList><comment ref="A1"><text><t>${content}</t></text></comment></commentList></comments>`;
  const related = [{ id: 'c', kind: 'comments', target: '../comments1.xml' }];
  const sheet = { name: 'S', rows: row(1, text('A1', 'x')) };
  const thread = { id: 'd', kind: 'threadedComment', target: '../threadedComments/t.xml' };
  const threaded = await xlsx([{ ...sheet, related: [...related, thread] }], {
    parts: {
      'xl/comments1.xml': comments(copy),
      'xl/threadedComments/t.xml':
        '<ThreadedComments><threadedComment ref="A1" personId="{1}"><text>Is it so?</text></threadedComment></ThreadedComments>',
    },
  });
  assert.is(threaded.markdown.match(/Is it so/g)?.length, 1);
  assert.not.match(threaded.markdown, 'Your version');
  const copied = await xlsx([{ ...sheet, related }], {
    parts: { 'xl/comments1.xml': comments(copy) },
  });
  assert.match(copied.markdown, 'Comment on A1: Is it so?');
  assert.not.match(copied.markdown, 'Your version');
});

test('reads the stored values of newer charts', async () => {
  const dimension = (kind: string, points: readonly string[]) =>
    `<cx:${kind}Dim><cx:lvl>${points.map((point, at) => `<cx:pt idx="${at}">${point}</cx:pt>`).join('')}</cx:lvl></cx:${kind}Dim>`;
  const { markdown } = await xlsx(
    [
      {
        name: 'S',
        rows: row(1, text('A1', 'x')),
        related: [{ id: 'd', kind: 'drawing', target: '../drawings/drawing1.xml' }],
      },
    ],
    {
      parts: {
        'xl/drawings/drawing1.xml': '<xdr:wsDr xmlns:xdr="x"/>',
        'xl/drawings/_rels/drawing1.xml.rels':
          '<Relationships><Relationship Id="c" Type="http://x/chartEx" Target="../charts/chartEx1.xml"/></Relationships>',
        'xl/charts/chartEx1.xml': `<cx:chartSpace xmlns:cx="cx"><cx:chartData><cx:data id="0">${dimension('str', ['Ann', 'Bo'])}${dimension('num', ['3', '4'])}</cx:data></cx:chartData>
          <cx:chart><cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData><cx:v>Votes</cx:v></cx:txData></cx:tx></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`,
      },
    },
  );
  assert.match(markdown, '|  | Votes |\n| --- | --- |\n| Ann | 3 |\n| Bo | 4 |');
});

test.run();
