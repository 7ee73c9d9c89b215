export type XmlNode = XmlElement | string;

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  /** With their prefixes. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

/** The elements among the children. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) if (typeof child !== 'string') yield child;
}

/** The first child of that name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of element?.children ?? []) {
    if (typeof child !== 'string' && child.name === name) return child;
  }
  return undefined;
}

export function* childrenOf(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of elementsOf(element)) if (child.name === name) yield child;
}

/** All elements below, of that name, from the first to the last. Does not look into those it finds. */
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

/** All the text within. */
export function textOf(element: XmlElement | undefined): string {
  let text = '';
  for (const child of element?.children ?? []) {
    text += typeof child === 'string' ? child : textOf(child);
  }
  return text;
}
