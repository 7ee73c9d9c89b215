import { textOf, markupOf, type FeedElement } from './element.js';
import { cleanHtml, isHtml, paragraphsOf } from './html.js';

/** Returns the content of an element that holds escaped HTML, elements or plain text. */
export function contentOf(element: FeedElement | null, base: string): string {
  if (element === null) return '';
  const hasElements = element.children.some((child) => typeof child !== 'string');
  const text = hasElements ? markupOf(element) : textOf(element);
  return htmlOf(text, base);
}

/** Converts a text that may be HTML to HTML with absolute links. */
export function htmlOf(text: string, base: string): string {
  return isHtml(text) ? cleanHtml(text, base) : paragraphsOf(text);
}
