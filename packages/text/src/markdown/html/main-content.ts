import { voidElements, type HtmlAttributes } from './elements.js';

/** Receives the elements of a page as a stream. */
interface ElementReader {
  open(name: string, attributes: HtmlAttributes): void;
  text(text: string): void;
  close(name: string): void;
}

/** Whether an element is the main content of its page. */
export type MainElementTest = (name: string, attributes: HtmlAttributes) => boolean;

/** Returns a test for the main content of a page. Null if the page does not mark it. */
export function findMainContent(html: string): MainElementTest | null {
  if (/<main[\s>]/i.test(html) || /\brole\s*=\s*["']?main\b/i.test(html))
    return (name, { role }) => name === 'main' || role === 'main';
  const articles = html.match(/<article[\s>]/gi)?.length ?? 0;
  return articles === 1 ? (name) => name === 'article' : null;
}

/** Passes on the main content of a page and its title, without the elements that every page of the site repeats. */
export class MainContentFilter implements ElementReader {
  readonly #reader: ElementReader;
  readonly #isMain: MainElementTest;
  /** The open main element, and the number of nested elements with its name. */
  #open: { readonly name: string; depth: number } | null = null;
  #isTitle = false;

  constructor(reader: ElementReader, isMain: MainElementTest) {
    this.#reader = reader;
    this.#isMain = isMain;
  }

  open(name: string, attributes: HtmlAttributes): void {
    if (this.#open === null && this.#isMain(name, attributes)) this.#open = { name, depth: 0 };
    if (name === 'title') this.#isTitle = true;
    if (this.#open?.name === name && !voidElements.has(name)) this.#open.depth++;
    if (this.#open !== null || this.#isTitle) this.#reader.open(name, attributes);
  }

  text(text: string): void {
    if (this.#open !== null || this.#isTitle) this.#reader.text(text);
  }

  close(name: string): void {
    if (this.#open !== null || this.#isTitle) this.#reader.close(name);
    if (name === 'title') this.#isTitle = false;
    if (this.#open?.name === name && --this.#open.depth === 0) this.#open = null;
  }
}
