import type { Conversion, ConversionRequest } from '@trove/core';
import { MarkdownWriter, writeHtml } from '@trove/text/markdown';
import { decodeText } from '@trove/text/encodings';

import { damaged } from '../errors.js';

/** The limit of characters of one output. A training log says little after its first pages. */
const maxOutputChars = 20_000;
/** Colour codes of terminals. */
const colourCodes = /\u001b\[[\d;]*[A-Za-z]/g;

type Json = Readonly<Record<string, unknown>>;

/** Converts the cells in order with their text outputs. */
export function convertNotebook({ bytes }: Pick<ConversionRequest, 'bytes'>): Conversion {
  const notebook = parsed(decodeText(bytes)?.text ?? '');
  const metadata = objectOf(notebook['metadata']);
  const language = languageOf(metadata);
  const writer = new MarkdownWriter();
  for (const cell of cellsOf(notebook)) {
    if (writer.isFull) break;
    const source = textOf(cell['source'] ?? cell['input']);
    if (cell['cell_type'] === 'code') {
      writer.code(source, language);
      for (const output of objectsOf(cell['outputs'])) writeOutput(writer, output);
    } else if (cell['cell_type'] === 'heading') writer.heading(Number(cell['level']) || 1, source);
    else writer.markdown(source);
  }
  const { title } = metadata;
  return writer.finish(
    typeof title === 'string' ? title : '',
    'The notebook has no cells with text.',
  );
}

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && (Array.isArray(value['cells']) || Array.isArray(value['worksheets'])))
      return value;
  } catch (cause) {
    throw damaged('is not a notebook, because it is not JSON', cause);
  }
  throw damaged('is not a notebook, because it has no list of cells');
}

/** Before version 4 of the format, cells were in worksheets. */
function cellsOf(notebook: Json): Json[] {
  const sheets = objectsOf(notebook['worksheets']);
  return [...objectsOf(notebook['cells']), ...sheets.flatMap(({ cells }) => objectsOf(cells))];
}

function languageOf(metadata: Json): string {
  const { name = metadata['language'] } = objectOf(metadata['language_info']);
  const { language = name } = objectOf(metadata['kernelspec']);
  const languageName = name ?? language;
  return typeof languageName === 'string' && /^[\w+#-]{1,30}$/.test(languageName)
    ? languageName
    : '';
}

function writeOutput(writer: MarkdownWriter, output: Json): void {
  const data = { ...output, ...objectOf(output['data']) };
  const html = textOf(data['text/html'] ?? data['html']);
  const markdown = textOf(data['text/markdown']);
  if (output['output_type'] === 'error' || output['output_type'] === 'pyerr') {
    writer.code(shortened(`${textOf(output['ename'])}: ${textOf(output['evalue'])}`));
  } else if (markdown !== '') writer.markdown(shortened(markdown));
  else if (/<table[\s>]/i.test(html)) writeHtml(html, writer);
  else writer.code(shortened(textOf(data['text/plain'] ?? data['text'])));
}

function shortened(text: string): string {
  const plain = text.replaceAll(colourCodes, '');
  if (plain.length <= maxOutputChars) return plain;
  return `${plain.slice(0, maxOutputChars).toWellFormed()}\n…`;
}

/** Returns a text, or the joined list of its lines. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
