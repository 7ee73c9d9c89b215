import { childOf, elementsOf, type XmlElement } from '../xml/element.js';

/** Yields the elements with text, without properties and without deleted or moved content. */
export function* contentOf(parent: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(parent)) {
    const chosen = child.name === 'AlternateContent' ? alternativeOf(child) : child;
    if (chosen === undefined || /Pr$|^(?:del|moveFrom)$/.test(chosen.name)) continue;
    if (chosen === child) yield child;
    else yield* contentOf(chosen);
  }
}

/** Returns the preferred one of several forms of the same content. */
export function alternativeOf(element: XmlElement): XmlElement | undefined {
  return childOf(element, 'Choice') ?? childOf(element, 'Fallback');
}

/** Returns the rows of a table or cells of a row, including those in content controls. */
export function partsOf(parent: XmlElement, name: 'tr' | 'tc', found: XmlElement[] = []) {
  for (const child of contentOf(parent)) {
    if (child.name !== name) {
      if (/^(?:sdt|sdtContent|customXml|ins|moveTo)$/.test(child.name)) partsOf(child, name, found);
    } else if (!isDeleted(child)) found.push(child);
  }
  return found;
}

/** Whether the mark of a paragraph was deleted or moved. The next paragraph then continues it. */
export function isMarkDeleted(properties: XmlElement | undefined): boolean {
  const mark = childOf(properties, 'rPr');
  return childOf(mark, 'del') !== undefined || childOf(mark, 'moveFrom') !== undefined;
}

function isDeleted(part: XmlElement): boolean {
  return (
    childOf(childOf(part, 'trPr'), 'del') !== undefined ||
    childOf(childOf(part, 'tcPr'), 'cellDel') !== undefined
  );
}
