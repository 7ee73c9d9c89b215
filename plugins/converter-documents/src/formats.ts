import { TroveError, type Conversion, type ConversionRequest } from '@trove/core';

/** Converts documents of one format. Throws one of the errors of `errors.ts`. */
export type FormatConverter = (request: ConversionRequest) => Conversion | Promise<Conversion>;

export interface FormatEntry {
  /** Raise this when the same bytes produce different Markdown. Documents of the type are then converted again. */
  readonly version: number;
  /** Imported on first use, so a thread without PDFs loads no PDF reader. */
  readonly load: () => Promise<FormatConverter>;
}

const office = async (): Promise<FormatConverter> =>
  (await import('./ooxml/office.js')).convertOffice;
const openDocument = async (): Promise<FormatConverter> =>
  (await import('./odf/odf.js')).convertOdf;

/** The converter of each media type. */
const formats: Readonly<Record<string, FormatEntry>> = {
  'application/pdf': from(3, async () => (await import('./pdf/pdf.js')).convertPdf),
  'application/epub+zip': from(2, async () => (await import('./epub/epub.js')).convertEpub),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': from(2, office),
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': from(2, office),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': from(1, office),
  'application/vnd.oasis.opendocument.presentation': from(2, openDocument),
  'application/vnd.oasis.opendocument.spreadsheet': from(2, openDocument),
  'application/vnd.oasis.opendocument.text': from(2, openDocument),
  'application/rtf': from(2, async () => (await import('./rtf/rtf.js')).convertRtf),
  'text/html': from(2, async () => (await import('./html/html.js')).convertHtml),
  'application/x-ipynb+json': from(
    1,
    async () => (await import('./notebook/notebook.js')).convertNotebook,
  ),
  'message/rfc822': from(1, async () => (await import('./mail/eml.js')).convertEml),
  'application/vnd.ms-outlook': from(1, async () => (await import('./mail/msg.js')).convertMsg),
};

function from(version: number, load: FormatEntry['load']): FormatEntry {
  return { version, load };
}

export const mediaTypes: readonly string[] = Object.keys(formats);

/** Returns the converter of a media type. Throws `not_available` for unsupported types. */
export function formatOf(mediaType: string): FormatEntry {
  const format = Object.hasOwn(formats, mediaType) ? formats[mediaType] : undefined;
  if (format === undefined) {
    throw new TroveError(
      'not_available',
      `Documents of the type ${mediaType} cannot be converted.`,
    );
  }
  return format;
}
