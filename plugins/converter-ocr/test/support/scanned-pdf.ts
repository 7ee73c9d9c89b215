/** A page: its painting operators, the images it paints (`/I0`, `/I1` …) and its rotation. */
export interface ScannedPage {
  readonly paints: string;
  readonly images: readonly PdfImage[];
  readonly rotate?: number;
}

/** The dictionary entries and bytes of an image. */
export interface PdfImage {
  readonly entries: string;
  readonly bytes: Uint8Array;
}

/** Returns a PDF of pages of 420 × 260 points without any text. */
export function scannedPdf(pages: readonly ScannedPage[]): Uint8Array<ArrayBuffer> {
  const objects: Buffer[] = [Buffer.from('<</Type/Catalog/Pages 2 0 R>>'), Buffer.alloc(0)];
  const add = (object: Buffer): string => `${objects.push(object)} 0 R`;
  const kids = pages.map(({ paints, images, rotate = 0 }) => {
    const named = images.map(({ entries, bytes }, i) => {
      const image = stream(bytes, `/Type/XObject/Subtype/Image ${entries}`);
      return `/I${i} ${add(image)}`;
    });
    const contents = add(stream(Buffer.from(paints)));
    const size = rotate % 180 === 0 ? '420 260' : '260 420';
    return add(
      Buffer.from(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size}]/Rotate ${rotate}/Contents ${contents}/Resources<</XObject<<${named.join(' ')}>>>>>>`,
      ),
    );
  });
  objects[1] = Buffer.from(`<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`);
  return written(objects);
}

function stream(bytes: Uint8Array, entries = ''): Buffer {
  const head = Buffer.from(`<<${entries}/Length ${bytes.length}>>stream\n`);
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')]);
}

function written(objects: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const starts: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [i, object] of objects.entries()) {
    const part = Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n`),
      object,
      Buffer.from('\nendobj\n'),
    ]);
    starts.push(length);
    parts.push(part);
    length += part.length;
  }
  const rows = starts.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF`;
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(end)]));
}
