export type XmlNode = XmlElement | string;

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  /** With their prefixes. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

/** Yields the elements among the children. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) if (typeof child !== 'string') yield child;
}

/** Returns the first child with that name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of element?.children ?? []) {
    if (typeof child !== 'string' && child.name === name) return child;
  }
  return undefined;
}

export function* childrenOf(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of elementsOf(element)) if (child.name === name) yield child;
}

/** Returns all descendants with that name in document order, except those within a match. */
export function descendantsOf(element: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const look = (parent: XmlElement): void => {
    for (const child of elementsOf(parent)) {
      if (child.name === name) found.push(child);
      else look(child);
    }
  };
  look(element);
  return found;
}

/** Returns the text of an element and its descendants. */
export function textOf(element: XmlElement | undefined): string {
  let text = '';
  for (const child of element?.children ?? []) {
    text += typeof child === 'string' ? child : textOf(child);
  }
  return text;
}
