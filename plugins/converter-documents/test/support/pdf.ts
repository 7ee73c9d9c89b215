/** Some text on a page: from the left and from the bottom, in points. */
export interface Placed {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
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
  /** More entries of the trailer. */
  readonly trailer?: string;
}

/** Lines of text, one below the other, as a page would have them. */
export function lines(x: number, y: number, size: number, ...texts: readonly string[]): Placed[] {
  return texts.map((text, i) => ({ text, x, y: y - i * size * 1.2, size }));
}

const helvetica = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';

/** Writes a PDF of pages with text in Helvetica, unless another font is given. */
export function pdf(
  pages: readonly PdfPage[],
  { title = '', font = helvetica, trailer = '' }: Extras = {},
): Uint8Array {
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    font,
  ];
  for (const [i, { texts = [], annotations = [] }] of pages.entries()) {
    const content = texts.map(
      ({ text, x, y, size = 10 }) => `BT /F ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`,
    );
    const stream = content.join('\n');
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${5 + i * 2} 0 R` +
        `/Resources<</Font<</F 3 0 R>>>>/Annots[${annotations.join('')}]>>`,
      `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    );
  }
  objects.push(`<</Title(${title})>>`);
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj ${object} endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  const count = objects.length + 1;
  text += `xref\n0 ${count}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer<</Size ${count}/Root 1 0 R/Info ${objects.length} 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
