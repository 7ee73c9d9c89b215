import type { Conversion } from '@trove/core';
import { MarkdownWriter } from '@trove/text/markdown';

import type { OfficePackage } from '../ooxml/office-package.js';
import { readXml } from '../xml/read.js';
import { SlideReader } from './slide.js';

export function convertPptx(document: OfficePackage): Conversion {
  const writer = new MarkdownWriter();
  const slides = new SlideReader(document, writer);
  for (const [i, part] of slideParts(document).entries()) {
    if (writer.isFull) break;
    writer.part('slide', i + 1);
    slides.read(part);
  }
  return writer.finish(
    document.title,
    'The presentation has no text: it is empty, or consists of pictures.',
  );
}

/** Returns the slide parts in display order. */
function slideParts(document: OfficePackage): string[] {
  const parts = new Map(
    document.relationships(document.main).map(({ id, target }) => [id, target]),
  );
  const slides = new Set<string>();
  readXml(document.archive, document.main, {
    whole: () => false,
    take: () => {},
    enter: (name, attributes) => {
      const part = name === 'sldId' ? parts.get(attributes['r:id'] ?? '') : undefined;
      if (part !== undefined) slides.add(part);
    },
  });
  return [...slides];
}
