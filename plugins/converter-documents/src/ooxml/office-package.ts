import { damaged } from '../errors.js';
import { elementsOf, textOf } from '../xml/element.js';
import { readXmlRoot } from '../xml/read.js';
import { Archive } from '../zip/archive.js';

export interface Relationship {
  readonly id: string;
  /** The last word of its type: `hyperlink`, `slide`, `styles`. */
  readonly kind: string;
  /** The name of a part, or an external address. */
  readonly target: string;
  readonly external: boolean;
}

/** A document of Word, PowerPoint or Excel: parts and their relationships. */
export class OfficePackage {
  readonly archive: Archive;
  /** The main part of the document. */
  readonly main: string;

  /** Throws unless the bytes are such a package. */
  constructor(bytes: Uint8Array) {
    this.archive = new Archive(bytes);
    const main = this.relationships('').find(({ kind }) => kind === 'officeDocument')?.target;
    if (main === undefined || !this.archive.has(main)) {
      throw damaged('is a ZIP archive, but not of Word, PowerPoint or Excel');
    }
    this.main = main;
  }

  /** Returns the relationships of a part in order, or those of the package for ''. */
  relationships(part: string): readonly Relationship[] {
    const slash = part.lastIndexOf('/') + 1;
    const folder = part.slice(0, slash);
    const root = readXmlRoot(this.archive, `${folder}_rels/${part.slice(slash)}.rels`);
    if (root === undefined) return [];
    return [...elementsOf(root)].flatMap(({ attributes }) => {
      const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes;
      if (id === undefined || type === undefined || target === undefined) return [];
      const external = mode === 'External';
      const kind = type.slice(type.lastIndexOf('/') + 1);
      return [{ id, kind, external, target: external ? target : resolvePart(folder, target) }];
    });
  }

  /** Returns the title in the document's properties. */
  get title(): string | undefined {
    const part = this.relationships('').find(({ kind }) => kind === 'core-properties')?.target;
    const root = readXmlRoot(this.archive, part);
    for (const property of root === undefined ? [] : elementsOf(root)) {
      if (property.name === 'title') return textOf(property);
    }
    return undefined;
  }
}

/** Returns the part for a relationship target in `folder` (`ppt/slides/`). */
function resolvePart(folder: string, target: string): string {
  const path = target.startsWith('/') ? target : `/${folder}${target}`;
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}
