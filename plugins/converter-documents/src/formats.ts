import type { Conversion, ConversionRequest } from '@trove/core';

/** Converts documents of one format. Throws one of the errors of `refusals.ts`. */
export type Format = (request: ConversionRequest) => Conversion | Promise<Conversion>;

/** What reads each media type. A format is imported on first use: a thread that meets no PDF loads no PDF reader. */
const formats: Readonly<Record<string, () => Promise<Format>>> = {
  'application/pdf': async () => (await import('./pdf/pdf.js')).convertPdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': office,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': office,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': office,
  'application/vnd.oasis.opendocument.presentation': openDocument,
  'application/vnd.oasis.opendocument.spreadsheet': openDocument,
  'application/vnd.oasis.opendocument.text': openDocument,
  'application/rtf': async () => (await import('./rtf/rtf.js')).convertRtf,
};

async function office(): Promise<Format> {
  return (await import('./ooxml/office.js')).convertOffice;
}

async function openDocument(): Promise<Format> {
  return (await import('./odf/odf.js')).convertOdf;
}

export const mediaTypes: readonly string[] = Object.keys(formats);

export async function formatOf(mediaType: string): Promise<Format | undefined> {
  return Object.hasOwn(formats, mediaType) ? formats[mediaType]?.() : undefined;
}
