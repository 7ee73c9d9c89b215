import type { XmlElement, XmlNode } from '../xml/element.js';

/** An element of a formula in progress. Groups of RTF formulas correspond to the elements of Office. */
export interface MathElement extends XmlElement {
  readonly attributes: Record<string, string>;
  readonly children: XmlNode[];
}

/** The first control word of a formula element's group, such as `\mnum`. */
const word = /^m[a-zA-Z]+$/;

export function mathElement(name: string): MathElement {
  return { name, attributes: {}, children: [] };
}

/** Adds the element of a group if its first control word names one. */
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
