import { descendantsOf, textOf, type XmlElement } from '../xml/element.js';
import { readXml } from '../xml/read.js';
import type { Archive } from '../zip/archive.js';

const maxTexts = 10_000;

/**
 * Returns the texts of a drawing part: nodes of a diagram, titles, axes and series of a chart, or comments. Empty if
 * the part is missing or not XML.
 */
export function partTexts(archive: Archive, part: string | undefined): string[] {
  if (part === undefined || !part.endsWith('.xml') || !archive.has(part)) return [];
  const texts = new Set<string>();
  readXml(archive, part, {
    whole: (name) => name === 'p' || name === 'strCache' || name === 'text',
    take: (element) => {
      for (const text of textsOf(element)) if (text.trim() !== '') texts.add(text);
    },
    enough: () => texts.size >= maxTexts,
  });
  return [...texts];
}

function textsOf(element: XmlElement): string[] {
  if (element.name === 'strCache') return descendantsOf(element, 'v').map(textOf);
  if (element.name === 'text') return [textOf(element)];
  return [descendantsOf(element, 't').map(textOf).join('')];
}
