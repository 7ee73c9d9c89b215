import type { Conversion, ConversionRequest } from '@trove/core';
import { MarkdownWriter } from '@trove/text/markdown';
import { polyfillForPdf, pdfOptions } from '@trove/text/media-types';
import { getDocumentProxy } from 'unpdf';
import type { PDFDocumentProxy } from 'unpdf/pdfjs';

import { damaged, encrypted } from '../errors.js';
import { BinaryData } from './binary-data.js';
import { Fonts } from './fonts.js';
import { Headings } from './headings.js';
import { readPage, type PdfPage } from './page.js';
import { paragraphsOf } from './paragraphs.js';
import { dropRepeated } from './repeated-lines.js';

const maxPages = 5_000;
/** The limit of characters of all pages. */
const maxChars = 16 * 1024 * 1024;

export async function convertPdf({ bytes, signal }: ConversionRequest): Promise<Conversion> {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (!start.includes('%PDF-')) throw damaged('does not start like a PDF');
  const document = await open(bytes);
  try {
    return await convertPages(document, signal);
  } finally {
    await document.destroy();
  }
}

/** The library takes ownership of the bytes. */
async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  polyfillForPdf();
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      ...pdfOptions,
      maxImageSize: 1,
      fontExtraProperties: true,
      BinaryDataFactory: BinaryData,
      cMapPacked: false,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw encrypted();
    throw damaged('is not a readable PDF', error);
  }
}

async function convertPages(document: PDFDocumentProxy, signal: AbortSignal): Promise<Conversion> {
  const { numPages } = document;
  const writer = new MarkdownWriter();
  const pages: (PdfPage | undefined)[] = [];
  const fonts = new Fonts();
  let length = 0;
  for (let number = 1; number <= Math.min(numPages, maxPages) && length < maxChars; number++) {
    signal.throwIfAborted();
    const page = await pageOf(document, number, fonts);
    for (const { text } of page?.lines ?? []) length += text.length;
    pages.push(page);
  }
  if (pages.every((page) => page === undefined)) throw damaged('has no readable page');
  write(pages, writer);
  if (pages.length < numPages) {
    writer.markTruncated(
      `The document has ${numPages} pages; the first ${pages.length} are converted.`,
    );
  }
  for (const notice of fonts.notices) writer.notice(notice);
  return writer.finish(await titleOf(document), whyEmpty(numPages, fonts.notices));
}

function whyEmpty(pages: number, notices: readonly string[]): string {
  if (notices.length > 0) return `It has no readable text. ${notices.join(' ')}`;
  if (pages === 1) return 'Its page has no text: it is scanned, or a picture.';
  return `None of its ${pages} pages has text: they are scanned, or consist of pictures.`;
}

/** Returns undefined for a damaged page, because the other pages may be intact. */
async function pageOf(
  document: PDFDocumentProxy,
  number: number,
  fonts: Fonts,
): Promise<PdfPage | undefined> {
  try {
    return await readPage(await document.getPage(number), fonts);
  } catch {
    return undefined;
  }
}

function write(pages: readonly (PdfPage | undefined)[], writer: MarkdownWriter): void {
  const texts = dropRepeated(pages.map((page) => page?.lines ?? [])).map(paragraphsOf);
  const headings = new Headings(texts.flat());
  for (const [i, page] of pages.entries()) {
    writer.part('page', i + 1);
    for (const paragraph of texts[i] ?? []) {
      const level = headings.levelOf(paragraph);
      if (level !== undefined) writer.heading(level, paragraph.text);
      else if (paragraph.isItem) writer.item(0, '-', paragraph.text);
      else writer.paragraph(paragraph.text);
    }
    for (const text of page?.filledIn ?? []) writer.item(0, '-', text);
    for (const text of page?.notes ?? []) writer.quote(text);
    if (page === undefined) writer.notice(`Page ${i + 1} is damaged; its text is left out.`);
  }
}

async function titleOf(document: PDFDocumentProxy): Promise<string | undefined> {
  try {
    const { info } = await document.getMetadata();
    return 'Title' in info && typeof info.Title === 'string' ? info.Title : undefined;
  } catch {
    return undefined;
  }
}
