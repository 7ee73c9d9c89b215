import { escapeAttribute, escapeHtml, voidNames } from './html.js';

/** An XML element. Names of known namespaces have a fixed prefix, such as `dc:creator`. */
export interface FeedElement {
  readonly name: string;
  /** Name without a namespace, for markup. */
  readonly localName: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Base address of relative links. */
  readonly base: string;
  readonly children: (FeedElement | string)[];
}

export function childrenOf({ children }: FeedElement, name: string): FeedElement[] {
  const elements = children.filter((child) => typeof child !== 'string');
  return elements.filter((child) => child.name === name);
}

export function childOf(element: FeedElement, ...names: readonly string[]): FeedElement | null {
  for (const name of names) {
    const [first] = childrenOf(element, name);
    if (first !== undefined) return first;
  }
  return null;
}

/** Returns the text of an element and its descendants, without whitespace around it. */
export function textOf(element: FeedElement | null): string {
  return element === null ? '' : rawTextOf(element).trim();
}

function rawTextOf({ children }: FeedElement): string {
  return children.map((child) => (typeof child === 'string' ? child : rawTextOf(child))).join('');
}

/** Returns the text of the first child with text. */
export function childText(element: FeedElement, ...names: readonly string[]): string {
  for (const name of names) {
    for (const child of childrenOf(element, name)) {
      const text = textOf(child);
      if (text !== '') return text;
    }
  }
  return '';
}

/** Returns the content of an element as markup. */
export function markupOf({ children }: FeedElement): string {
  return children
    .map((child) => (typeof child === 'string' ? escapeHtml(child) : tagOf(child)))
    .join('');
}

function tagOf(element: FeedElement): string {
  const { localName, attributes } = element;
  const list = Object.entries(attributes)
    .filter(([name]) => !name.startsWith('xml'))
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  const open = `<${localName}${list.join('')}>`;
  return voidNames.has(localName) ? open : `${open}${markupOf(element)}</${localName}>`;
}
