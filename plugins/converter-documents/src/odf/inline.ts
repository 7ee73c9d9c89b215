import { formatLink, toOneLine, toScript } from '@trove/text/markdown';
import { childOf, descendantsOf, elementsOf, textOf, type XmlElement } from '../xml/element.js';
import type { Shift } from './styles.js';

/** Handlers for parts of a paragraph that are not inline text. */
export interface OdfInlineContext {
  /** Receives a note or comment and returns the reference to it. */
  note(text: string): string;
  /** Receives a text box, which floats beside its paragraph. */
  box(content: XmlElement): void;
  /** Called at the end of a page in the last layout. */
  page(): void;
  /** Returns whether a style raises or lowers its text. */
  shift(style: string | undefined): Shift | undefined;
  /** Handles an embedded document. Returns the text of a formula, or ''. */
  object(object: XmlElement): string;
}

/** Elements whose content is not part of the text. */
const withoutText = new Set([
  'number',
  'ruby-text',
  'title',
  'desc',
  'image',
  'event-listeners',
  'glue-point',
]);

/** Returns the text of one paragraph with its links and references to notes. */
export function inlineText(parent: XmlElement, context: OdfInlineContext): string {
  let text = '';
  for (const child of parent.children) {
    text += typeof child === 'string' ? child.replaceAll(/\s+/g, ' ') : elementText(child, context);
  }
  return text;
}

function elementText(element: XmlElement, context: OdfInlineContext): string {
  const { name, attributes } = element;
  switch (name) {
    case 's':
      return ' '.repeat(Math.min(Math.max(Number(attributes['text:c'] ?? 1) || 1, 1), 100));
    case 'tab':
      return '\t';
    case 'line-break':
      return '\n';
    case 'soft-page-break':
      context.page();
      return '';
    case 'a':
      return formatLink(inlineText(element, context), attributes['xlink:href'] ?? '');
    case 'note':
      return context.note(plainText(childOf(element, 'note-body')));
    case 'annotation':
      return context.note(annotationText(element));
    case 'span':
      return shifted(inlineText(element, context), context.shift(attributes['text:style-name']));
    case 'object':
      return context.object(element);
    case 'text-box':
      context.box(element);
      return '';
    default:
      return withoutText.has(name) ? '' : inlineText(element, context);
  }
}

/** Keeps the shift of digits, because 10³ is not 103. Words such as the "st" of 1st lose it. */
function shifted(text: string, shift: Shift | undefined): string {
  return shift === undefined ? text : (toScript(text, shift) ?? text);
}

/** Returns a comment with its author. */
export function annotationText(annotation: XmlElement): string {
  const author = toOneLine(textOf(childOf(annotation, 'creator')));
  const text = plainText(annotation);
  return author === '' || text === '' ? text : `${author}: ${text}`;
}

/** Returns the text of all paragraphs in an element, one per line, without notes, text boxes and embedded documents. */
export function plainText(parent: XmlElement | undefined): string {
  const around: OdfInlineContext = {
    note: () => '',
    box: () => {},
    page: () => {},
    shift: () => undefined,
    object: () => '',
  };
  return paragraphsIn(parent)
    .map((paragraph) => inlineText(paragraph, around).trim())
    .filter((text) => text !== '')
    .join('\n');
}

function paragraphsIn(parent: XmlElement | undefined): XmlElement[] {
  if (parent === undefined) return [];
  return [...elementsOf(parent)].flatMap((element) =>
    element.name === 'p' || element.name === 'h'
      ? [element, ...descendantsOf(element, 'text-box').flatMap(paragraphsIn)]
      : element.name === 'annotation'
        ? []
        : paragraphsIn(element),
  );
}
