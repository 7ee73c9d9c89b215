import { MathReader } from '@trove/core/markdown';
import { childOf, type XmlElement } from '../xml/element.js';
import { readXml } from '../xml/read.js';
import type { Archive } from '../zip/archive.js';

/** The text of a formula (`draw:object`), which is in a folder of the archive or within the element. */
export function formulaOf(archive: Archive, object: XmlElement): string {
  const root = childOf(object, 'math') ?? mathIn(archive, object.attributes['xlink:href'] ?? '');
  if (root === undefined) return '';
  const math = new MathReader();
  read(root, math);
  return math.written;
}

/** Objects that are charts or sheets have no formula. */
function mathIn(archive: Archive, address: string): XmlElement | undefined {
  const folder = address.replace(/^\.\//, '').replace(/\/$/, '');
  const member = `${folder}/content.xml`;
  if (folder === '' || !archive.has(member)) return undefined;
  let root: XmlElement | undefined;
  readXml(archive, member, {
    whole: (name) => name === 'math',
    take: (element) => {
      root = element;
    },
  });
  return root;
}

function read(element: XmlElement, math: MathReader): void {
  math.open(element.name, element.attributes);
  for (const child of element.children) {
    if (typeof child === 'string') math.text(child);
    else read(child, math);
  }
  math.close();
}
