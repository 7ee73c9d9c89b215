import type { XmlElement, XmlNode } from '../xml/element.js';

/** An element of a formula while it is read; groups of RTF have the elements that Office has. */
export interface MathElement extends XmlElement {
  readonly attributes: Record<string, string>;
  readonly children: XmlNode[];
}

/** The first word of a group that is an element of a formula, such as `\mnum`. */
const word = /^m[a-zA-Z]+$/;

export function mathElement(name: string): MathElement {
  return { name, attributes: {}, children: [] };
}

/** Begins the element that a group is, if its first word says so. */
export function childElement(parent: MathElement, first: string): MathElement | undefined {
  if (!word.test(first)) return undefined;
  const child = mathElement(first.slice(1));
  parent.children.push(child);
  return child;
}

/** Adds the text of a run, or the value of a property. */
export function addMathText(element: MathElement, text: string): void {
  if (element.name === 'r') {
    element.children.push({ name: 't', attributes: {}, children: [text] });
  } else {
    element.attributes['m:val'] = (element.attributes['m:val'] ?? '') + text.trim();
  }
}
