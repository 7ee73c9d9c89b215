import { voidElements, type HtmlAttributes } from './elements.js';

/** Takes the elements of a page as they come. */
interface ElementReader {
  open(name: string, attributes: HtmlAttributes): void;
  text(text: string): void;
  close(name: string): void;
}

/** Whether an element holds what its page is about. */
export type MainElementTest = (name: string, attributes: HtmlAttributes) => boolean;

/** Which elements of a page hold what it is about; null when it does not say. */
export function findMainContent(html: string): MainElementTest | null {
  if (/<main[\s>]/i.test(html) || /\brole\s*=\s*["']?main\b/i.test(html))
    return (name, { role }) => name === 'main' || role === 'main';
  const articles = html.match(/<article[\s>]/gi)?.length ?? 0;
  return articles === 1 ? (name) => name === 'article' : null;
}

/** Passes on what is in the main part of a page, and its title: not what stands around it on every page of the site. */
export class MainContentFilter implements ElementReader {
  readonly #reader: ElementReader;
  readonly #isMain: MainElementTest;
  /** The main part that is open, and how many elements of its name. */
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
