import { toOneLine } from '@trove/text/markdown';
import type { PDFPageProxy } from 'unpdf/pdfjs';

import type { Fonts } from './fonts.js';
import { hasRightToLeftLetters, Letters } from './letters.js';
import { linesOf, type PdfLine } from './lines.js';
import { membersOf } from './members.js';
import { piecesOf, type LinkArea, type TextItem } from './pieces.js';
import { shownGlyphs, type ShownGlyph } from './shown-glyphs.js';

/** The content of a page: its text, form values and notes. */
export interface PdfPage {
  readonly lines: readonly PdfLine[];
  readonly filledIn: readonly string[];
  readonly notes: readonly string[];
}

/** The limit of characters of one page. A page of text has five thousand. */
const maxChars = 2_000_000;
/** The limit of text runs on one page. A page of text has a thousand. Nested shapes can repeat a run without end. */
const maxPieces = 100_000;
const maxLinks = 500;

export async function readPage(page: PDFPageProxy, fonts: Fonts): Promise<PdfPage> {
  const annotations: unknown[] = await page.getAnnotations();
  const areas = annotations.flatMap(linkAreaOf).slice(0, maxLinks);
  const runs = await textsOf(page);
  const letters = new Letters(fonts, await glyphsOf(page, runs, fonts));
  const texts = runs.map((item) => ({ ...item, str: letters.textOf(item) }));
  page.cleanup();
  return {
    lines: linesOf(texts.flatMap((item) => piecesOf(item, areas))),
    // A field may appear at several places.
    filledIn: [...new Set(annotations.flatMap(filledInOf))],
    notes: annotations.flatMap(noteOf),
  };
}

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

/** Reads a stream, so that content beyond the limits is never processed. */
async function textsOf(page: PDFPageProxy): Promise<TextItem[]> {
  const reader = readerOf(page);
  const texts: TextItem[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return texts;
    for (const item of value.items) {
      if (!('str' in item)) continue;
      texts.push(item);
      length += item.str.length;
      if (length <= maxChars && texts.length < maxPieces) continue;
      await reader.cancel(new Error('The page has enough text.'));
      return texts;
    }
  }
}

function readerOf(page: PDFPageProxy): ReadableStreamDefaultReader<TextContent> {
  const stream: ReadableStream<TextContent> = page.streamTextContent({
    disableNormalization: true,
  });
  return stream.getReader();
}

/** Returns the glyphs of a page if its text runs lack letters. Reads the fonts of the page. */
async function glyphsOf(
  page: PDFPageProxy,
  runs: readonly TextItem[],
  fonts: Fonts,
): Promise<readonly ShownGlyph[]> {
  const used = new Set(runs.map(({ fontName }) => fontName));
  const isNew = [...used].some((id) => !fonts.knows(id));
  if (!isNew && !runs.some((run) => needsGlyphs(run, fonts))) return [];
  try {
    const shown = await shownGlyphs(page);
    await fonts.learn(page, shown.fonts, used);
    return runs.some((run) => needsGlyphs(run, fonts)) ? shown.glyphs : [];
  } catch {
    // The text can be read even if other content of the page is damaged.
    return [];
  }
}

function needsGlyphs({ str, fontName }: TextItem, fonts: Fonts): boolean {
  return hasRightToLeftLetters(str) || fonts.mayLack(fontName, str);
}

function linkAreaOf(annotation: unknown): LinkArea[] {
  const { url, rect } = membersOf(annotation);
  return typeof url === 'string' && isRectangle(rect) ? [{ url, rectangle: rect }] : [];
}

/** Returns the value of a form field with its readable name, if any. */
function filledInOf(annotation: unknown): string[] {
  const { fieldValue, alternativeText, fieldType, hidden, options } = membersOf(annotation);
  const value = Array.isArray(fieldValue) ? chosen(fieldValue, options).join(', ') : fieldValue;
  if (typeof value !== 'string' || value.trim() === '' || fieldType === 'Btn' || hidden === true)
    return [];
  const name = typeof alternativeText === 'string' ? toOneLine(alternativeText) : '';
  return [name === '' ? value : `${name}: ${value}`];
}

/** Returns the displayed choices, which may differ from the stored values. */
function chosen(values: readonly unknown[], options: unknown): unknown[] {
  const all = Array.isArray(options) ? options.map(membersOf) : [];
  return values.map(
    (value) => all.find(({ exportValue }) => exportValue === value)?.['displayValue'] ?? value,
  );
}

/** Returns the text of an annotation. */
function noteOf(annotation: unknown): string[] {
  const { subtype, contentsObj, titleObj } = membersOf(annotation);
  if (typeof subtype !== 'string' || /^(?:Link|Widget|Popup)$/.test(subtype)) return [];
  const { str: text } = membersOf(contentsObj);
  const { str: author } = membersOf(titleObj);
  if (typeof text !== 'string' || text.trim() === '') return [];
  return [
    typeof author === 'string' && author.trim() !== '' ? `${toOneLine(author)}: ${text}` : text,
  ];
}

function isRectangle(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) && value.length === 4 && value.every((each) => typeof each === 'number')
  );
}
