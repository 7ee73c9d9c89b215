import { TroveError, type Conversion, type DocumentPart } from '@trove/core';

const maxNameChars = 500;
const partKinds: ReadonlySet<unknown> = new Set<DocumentPart['kind']>(['page', 'slide', 'sheet']);
/** Control characters that do not occur in text. A NUL would make the text count as binary. */
const controlCharacters = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/g;

/**
 * Validates and normalizes the result of a converter: well-formed characters, lines ending with `\n`. Throws
 * `plugin_invalid` naming the member, and `document_empty` for Markdown without text. `name` identifies the
 * converter.
 */
export function checkConversion(value: unknown, name: string): Required<Conversion> {
  const invalid = (problem: string): TroveError =>
    new TroveError('plugin_invalid', `${name}: convert: ${problem}`);
  if (!isObject(value)) throw invalid('must return an object with `markdown`');
  const { markdown, title = '', parts = [] } = value;
  if (typeof markdown !== 'string') throw invalid('`markdown` must be a string');
  if (typeof title !== 'string') throw invalid('`title` must be a string');
  if (!Array.isArray(parts) || !parts.every(isPart)) {
    throw invalid('`parts` must be a list of { line, kind, number, name? }');
  }
  if (parts.some(({ line }, at) => line <= (parts[at - 1]?.line ?? 0))) {
    throw invalid('the `line` of each part must be greater than that of the part before');
  }
  const text = normalizeText(markdown);
  if (text.trim() === '') throw new TroveError('document_empty', 'The document has no text');
  return {
    markdown: text,
    title: normalizeText(title).replaceAll('\n', ' ').trim().slice(0, maxNameChars),
    parts: parts.map(normalizePart),
  };
}

function normalizeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', ' ')
    .replace(controlCharacters, ' ');
}

/** Copies only the members that the contract names. */
function normalizePart({ line, kind, number, name }: DocumentPart): DocumentPart {
  const shown =
    name === undefined ? '' : normalizeText(name).replaceAll('\n', ' ').slice(0, maxNameChars);
  return { line, kind, number, ...(shown === '' ? {} : { name: shown }) };
}

function isPart(value: unknown): value is DocumentPart {
  if (!isObject(value)) return false;
  const { line, kind, number, name } = value;
  const isName = name === undefined || typeof name === 'string';
  return isPosition(line) && isPosition(number) && partKinds.has(kind) && isName;
}

function isPosition(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
