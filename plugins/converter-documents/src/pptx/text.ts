import { formatLink, toScript } from '@trove/text/markdown';
import { formula } from '../ooxml/formula.js';
import { childOf, childrenOf, elementsOf, textOf, type XmlElement } from '../xml/element.js';

/** One paragraph of a shape. */
export interface SlideParagraph {
  readonly text: string;
  readonly depth: number;
  /** Only the paragraph's own setting. The design usually decides. */
  readonly numbered: boolean;
  readonly bulleted: boolean;
}

/** Returns the address of a link by the id of its relationship. */
export type Links = (id: string) => string | undefined;

/** Returns the non-empty paragraphs of a shape's text (`p:txBody`, `a:txBody`). */
export function paragraphsOf(body: XmlElement | undefined, links: Links): SlideParagraph[] {
  if (body === undefined) return [];
  return [...childrenOf(body, 'p')]
    .map((paragraph) => {
      const properties = childOf(paragraph, 'pPr');
      return {
        text: paragraphText(paragraph, links),
        depth: Number(properties?.attributes['lvl'] ?? 0) || 0,
        numbered: childOf(properties, 'buAutoNum') !== undefined,
        bulleted:
          childOf(properties, 'buChar') !== undefined ||
          childOf(properties, 'buBlip') !== undefined,
      };
    })
    .filter(({ text }) => text.trim() !== '');
}

function paragraphText(paragraph: XmlElement, links: Links): string {
  let text = '';
  for (const element of elementsOf(paragraph)) {
    if (element.name === 'br') text += '\n';
    else if (element.name === 'r' || element.name === 'fld') text += runText(element, links);
    else if (element.name === 'oMath') text += formula(element);
    else if (element.name !== 'Fallback' && !element.name.endsWith('Pr'))
      text += paragraphText(element, links) || textOf(element);
  }
  return text;
}

function runText(run: XmlElement, links: Links): string {
  const properties = childOf(run, 'rPr');
  const text = shifted(textOf(childOf(run, 't')), Number(properties?.attributes['baseline'] ?? 0));
  const id = childOf(properties, 'hlinkClick')?.attributes['r:id'];
  const url = id === undefined || id === '' ? undefined : links(id);
  return url === undefined ? text : formatLink(text, url);
}

/** Digits keep their shift, because 10³ is not 103. `baseline`: how far the text is raised. */
function shifted(text: string, baseline: number): string {
  if (baseline > 0) return toScript(text, 'superscript') ?? text;
  return baseline < 0 ? (toScript(text, 'subscript') ?? text) : text;
}
