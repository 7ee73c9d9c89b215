/** How pdf.js opens a PDF in every converter: it prints, fetches and draws nothing. */
export const pdfOptions = {
  verbosity: 0,
  disableFontFace: true,
  useSystemFonts: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  useWorkerFetch: false,
} as const;
