/** Options with which all converters open a PDF: no output, requests or drawing. */
export const pdfOptions = {
  verbosity: 0,
  disableFontFace: true,
  useSystemFonts: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  useWorkerFetch: false,
} as const;

/**
 * Adds `ArrayBuffer.prototype.transferToFixedLength` on Node 20. pdf.js sends fonts with it. Without it, pdf.js ends a
 * page's list of operators at the first font. Call this before opening a PDF.
 */
export function polyfillForPdf(): void {
  const { prototype } = ArrayBuffer;
  if ('transferToFixedLength' in prototype) return;
  Object.defineProperty(prototype, 'transferToFixedLength', {
    value(this: ArrayBuffer, length: number = this.byteLength): ArrayBuffer {
      const copy = new ArrayBuffer(length);
      new Uint8Array(copy).set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
      return copy;
    },
    configurable: true,
    writable: true,
  });
}
