import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { convert, refusal } from './support/convert.js';

const test = suite('RTF → Markdown');
const rtf = (text: string) => convert('application/rtf', Buffer.from(text, 'latin1'));

const styles = String.raw`{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s5 Title;}}`;

test('reads headings from styles and levels and keeps line ends', async () => {
  const { markdown, title } = await rtf(
    String.raw`{\rtf1\ansi${styles}{\info{\title The handbook}{\author Somebody}}
{\header\pard Confidential\par}\sectd{\headerl\pard Confidential\par}\pard\s5 Handbook\par\pard\s1 Backups\par
\pard Copy it\line every day.\par\pard\outlinelevel2 Third\par\pard The last one}`,
  );
  assert.is(
    markdown,
    'Confidential\n\n# Handbook\n\n# Backups\n\nCopy it\nevery day.\n\n### Third\n\nThe last one\n',
  );
  assert.is(title, 'The handbook');
});

test('reads characters by code page, font and Unicode, without fallbacks', async () => {
  const { markdown } = await rtf(
    String.raw`{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}}` +
      String.raw`\f0 Gr\'fc\'dfe, {\f1\'cf\'f0\'e8\'e2\'e5\'f2} {\f2\'93\'fa\'96\'7b} \u8364? \u-10179?\u-8704? \{x\}\~y \ldblquote q\rdblquote\par}`,
  );
  assert.is(markdown, 'Grüße, Привет 日本 € 😀 {x} y “q”\n');
});

test('writes tables and escapes cell separators', async () => {
  const { markdown } = await rtf(
    String.raw`{\rtf1\ansi\trowd\cellx1\cellx2\pard\intbl Name\cell Age\cell\row\trowd\pard\intbl Ann|a\par B\cell 7\cell\row\pard After\par}`,
  );
  assert.is(markdown, '| Name | Age |\n| --- | --- |\n| Ann\\|a<br>B | 7 |\n\nAfter\n');
});

test('reads lists, links, footnotes, text boxes and page breaks', async () => {
  const { markdown } = await rtf(
    String.raw`{\rtf1\ansi\pard{\listtext\'b7\tab}One\par\pard\ilvl1{\listtext 1.\tab}Two\par` +
      String.raw`\pard See {\field{\*\fldinst HYPERLINK "https://example.org/a b"}{\fldrslt the page}}.{\footnote Of {\b 2020}.}` +
      String.raw`{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 202}}{\shptxt\pard Boxed\par}}}\par\page\pard {\v secret}After\par}`,
  );
  assert.is(
    markdown,
    '- One\n  1. Two\n\nSee [the page](https://example.org/a%20b).[^1]\n\nBoxed\n\n---\n\nAfter\n\n[^1]: Of 2020.\n',
  );
});

test('keeps numbers of headings and items, and shifted digits', async () => {
  const { markdown } = await rtf(
    String.raw`{\rtf1\ansi${styles}\pard\s1{\listtext\pard 2.2\tab}Late payment\par\pard{\listtext (a)\tab}10{\super 3} H{\sub 2}O x{\up6 2} 1{\super st}\par` +
      String.raw`\pard{\listtext o\tab}bullet\par\pard{\listtext 3.\tab}three{\super {\footnote In 2020}}\par` +
      String.raw`\trowd\pard\intbl{\listtext 1.1\tab}in a cell\cell B\cell\row\pard end\par}`,
  );
  assert.is(
    markdown,
    '# 2.2 Late payment\n\n- (a) 10³ H₂O x² 1st\n- bullet\n3. three[^1]\n\n| 1.1 in a cell | B |\n| --- | --- |\n\nend\n\n[^1]: In 2020\n',
  );
});

test('shows formulas in one line', async () => {
  const run = (text: string) => String.raw`{\mr\mscr0\msty2 {\f43 ${text}}}`;
  const control = String.raw`{\mctrlPr\ltrch\i\f34 \hich\af34 }`;
  const math = (content: string) => String.raw`{\mmath{\*\moMath ${content}}}`;
  const power = String.raw`{\msSup{\msSupPr${control}}{\me${run('c')}}{\msup${run('2')}}}`;
  const fraction = String.raw`{\mf{\mfPr{\mtype bar}${control}}{\mnum${run('12')}}{\mden${run('a+1')}}}`;
  const sum = String.raw`{\mnary{\mnaryPr{\mchr \u8721?}{\mlimLoc undOvr}}{\msub${run('i')}}{\msup${run('n')}}{\me${run('x')}}}`;
  const brackets = String.raw`{\md{\mdPr{\mbegChr [}{\mendChr ]}}{\me${run('y')}}}`;
  const { markdown } = await rtf(
    String.raw`{\rtf1\ansi{\*\mmathPr\mmathFont34}\pard Energy ${math(run('E=m') + power)}, dose ${math(fraction)}.\par` +
      String.raw`\pard{\*\moMathPara{\moMathParaPr{\mjc center}}${math(sum + brackets)}}\par\trowd\pard\intbl ${math(power)}\cell B\cell\row}`,
  );
  assert.is(markdown, 'Energy E=mc², dose 12/(a+1).\n\n∑_iⁿ x[y]\n\n| c² | B |\n| --- | --- |\n');
});

test('leaves out deleted and moved text and joins its paragraphs', async () => {
  const { markdown } = await rtf(
    String.raw`{\rtf1\ansi\pard Kept {\deleted gone}{\revised new}{\mvf moved}.\par\pard joined {\deleted \par }\pard text\par` +
      String.raw`{\deleted\pard{\listtext 4.\tab}dropped\par}\pard{\listtext 4.\tab}four\par}`,
  );
  assert.is(markdown, 'Kept new.\n\njoined text\n\n4. four\n');
});

test('leaves out pictures, binary data and unknown optional groups', async () => {
  const { markdown } = await rtf(
    '{\\rtf1\\ansi\\pard A{\\pict\\pngblip 89504e47}{\\*\\generator X;}{\\*\\unknown{\\b deep}}{\\object{\\*\\objdata 00}}\\bin4 }{}{{\\b0\\*\\cs7 B}\\par}',
  );
  assert.is(markdown, 'AB\n');
});

test('reads a truncated file as far as possible', async () => {
  const { markdown } = await rtf(String.raw`{\rtf1\ansi\pard Begun {\b and not \'e`);
  assert.is(markdown, 'Begun and not\n');
});

test('refuses a file that is not RTF, has no text or is nested too deeply', async () => {
  assert.is((await refusal(rtf('Dear all'))).code, 'document_damaged');
  assert.is((await refusal(rtf(''))).code, 'document_empty');
  assert.is((await refusal(rtf('{\\rtf1{\\pict 00}\\par}'))).code, 'document_empty');
  assert.is((await refusal(rtf(`{\\rtf1 ${'{'.repeat(1e6)}`))).code, 'document_too_complex');
});

test.run();
