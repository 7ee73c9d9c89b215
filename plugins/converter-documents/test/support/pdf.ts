/** Text on a page with its distance from the left and the bottom in points. */
export interface Placed {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  /** The name of the font. Default `F`. */
  readonly font?: string;
}

export interface PdfPage {
  readonly texts?: readonly Placed[];
  /** Annotations as PDF dictionaries. */
  readonly annotations?: readonly string[];
}

interface Extras {
  readonly title?: string;
  /** The font's PDF dictionary. */
  readonly font?: string;
  /** Additional fonts by name. */
  readonly fonts?: Readonly<Record<string, string>>;
  /** The letters of the font's codes. */
  readonly toUnicode?: readonly (readonly [code: string, letters: string])[];
  /** More entries of the trailer. */
  readonly trailer?: string;
}

/** Returns lines of text, one below the other. */
export function lines(x: number, y: number, size: number, ...texts: readonly string[]): Placed[] {
  return texts.map((text, i) => ({ text, x, y: y - i * size * 1.2, size }));
}

const helvetica = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';

/** Writes a PDF of pages with text in Helvetica or the given font. */
export function pdf(
  pages: readonly PdfPage[],
  { title = '', font = helvetica, fonts = {}, toUnicode, trailer = '' }: Extras = {},
): Uint8Array {
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ');
  const mapping = toUnicode === undefined ? '' : `/ToUnicode ${5 + pages.length * 2} 0 R`;
  const further = Object.entries(fonts).map(([name, each]) => `/${name} ${each}`);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    font.replace(/>>$/, `${mapping}>>`),
  ];
  for (const [i, { texts = [], annotations = [] }] of pages.entries()) {
    const content = texts.map(
      ({ text, x, y, size = 10, font: name = 'F' }) =>
        `BT /${name} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`,
    );
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${5 + i * 2} 0 R` +
        `/Resources<</Font<</F 3 0 R${further.join('')}>>>>/Annots[${annotations.join('')}]>>`,
      stream(content.join('\n')),
    );
  }
  objects.push(`<</Title(${title})>>`);
  const information = objects.length;
  if (toUnicode !== undefined) objects.push(stream(unicodeMap(toUnicode)));
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj ${object} endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  const count = objects.length + 1;
  text += `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer<</Size ${count}/Root 1 0 R/Info ${information} 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

function stream(content: string): string {
  return `<</Length ${content.length}>>stream\n${content}\nendstream`;
}

function unicodeMap(letters: readonly (readonly [code: string, letters: string])[]): string {
  const rows = letters.map(([code, text]) => `<${code}> <${utf16(text)}>`);
  const space = '0'.repeat(letters[0]?.[0].length ?? 2);
  const spaces = `begincodespacerange <${space}> <${space.replaceAll('0', 'f')}> endcodespacerange`;
  return `begincmap 1 ${spaces} ${rows.length} beginbfchar\n${rows.join('\n')}\nendbfchar endcmap`;
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}
