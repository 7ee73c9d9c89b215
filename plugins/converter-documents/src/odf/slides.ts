import { type MarkdownWriter, toOneLine } from '@trove/text/markdown';
import { childOf, childrenOf, elementsOf, type XmlElement } from '../xml/element.js';
import type { OdfBlocks } from './blocks.js';
import { annotationText, plainText } from './inline.js';

/** Placeholders with the same text on every slide, or a number. */
const repeatedOnAll = new Set(['header', 'footer', 'date-time', 'page-number', 'page']);

/** Writes the content of a slide (`draw:page`), its title first and its notes last. */
export function writeSlide(slide: XmlElement, writer: MarkdownWriter, blocks: OdfBlocks): void {
  const shapes = shapesOf(slide);
  const isTitle = (shape: XmlElement) => roleOf(shape) === 'title';
  for (const shape of shapes.filter(isTitle)) writer.heading(2, toOneLine(plainText(shape)));
  for (const shape of shapes) {
    if (!isTitle(shape) && !repeatedOnAll.has(roleOf(shape) ?? '')) blocks.blocks(shape);
  }
  for (const comment of childrenOf(slide, 'annotation')) {
    writer.quote(`Comment: ${annotationText(comment)}`);
  }
  for (const shape of shapesOf(childOf(slide, 'notes'))) {
    const text = repeatedOnAll.has(roleOf(shape) ?? '') ? '' : plainText(shape);
    if (text !== '') writer.quote(`Notes: ${text}`);
  }
}

/** Returns shapes in drawing order. Shapes of a group take its position. */
function shapesOf(parent: XmlElement | undefined, found: XmlElement[] = []): XmlElement[] {
  for (const element of parent === undefined ? [] : elementsOf(parent)) {
    if (element.name === 'g') shapesOf(element, found);
    else if (element.name !== 'notes' && element.name !== 'annotation') found.push(element);
  }
  return found;
}

function roleOf(shape: XmlElement): string | undefined {
  return shape.attributes['presentation:class'];
}
