import { childOf, elementsOf, type XmlElement } from '../xml/element.js';
import { readXml } from '../xml/read.js';
import type { Archive } from '../zip/archive.js';
import { listStyleOf, type ListStyle } from './numbering.js';

const maxInheritance = 20;

export type Shift = 'superscript' | 'subscript';

const noLevels: ListStyle = new Map();

/** The styles of paragraphs, lists and text. */
export class OdfStyles {
  readonly #parents = new Map<string, string>();
  readonly #lists = new Map<string, ListStyle>();
  readonly #shifts = new Map<string, Shift | 'none'>();
  /** The numbering of headings. */
  outline: ListStyle = noLevels;

  constructor(archive: Archive) {
    for (const member of ['styles.xml', 'content.xml']) {
      if (!archive.has(member)) continue;
      let atBody = false;
      readXml(archive, member, {
        whole: (name) => /^(?:style|list-style|outline-style)$/.test(name),
        without: (name) => name === 'body',
        take: (element) => this.#add(element),
        enter: (name) => {
          atBody ||= name === 'master-styles';
        },
        enough: () => atBody,
      });
    }
  }

  #add(style: XmlElement): void {
    const name = style.attributes['style:name'] ?? '';
    const parent = style.attributes['style:parent-style-name'];
    if (parent !== undefined) this.#parents.set(name, parent);
    if (style.name === 'list-style') this.#lists.set(name, listStyleOf(style));
    else if (style.name === 'outline-style') this.outline = listStyleOf(style);
    const position = childOf(style, 'text-properties')?.attributes['style:text-position'];
    if (position !== undefined) this.#shifts.set(name, shiftOf(position));
  }

  /** Returns the level of a paragraph whose style is a heading. */
  heading(style: string | undefined): number | undefined {
    let name = style;
    for (let i = 0; i < maxInheritance && name !== undefined; i++) {
      if (name === 'Title') return 1;
      const level = /^Heading_20_([1-9])$/.exec(name)?.[1];
      if (level !== undefined) return Number(level);
      name = this.#parents.get(name);
    }
    return undefined;
  }

  /** Returns whether a style raises or lowers its text. */
  shift(style: string | undefined): Shift | undefined {
    let name = style;
    for (let i = 0; i < maxInheritance && name !== undefined; i++) {
      const shift = this.#shifts.get(name);
      if (shift !== undefined) return shift === 'none' ? undefined : shift;
      name = this.#parents.get(name);
    }
    return undefined;
  }

  list(style: string | undefined): ListStyle {
    return this.#lists.get(style ?? '') ?? noLevels;
  }
}

/** Parses a shift and size such as `super 58%` or `-33% 58%`. */
function shiftOf(position: string): Shift | 'none' {
  if (/^\s*(?:super|\+?(?!0%)\d)/.test(position)) return 'superscript';
  return /^\s*(?:sub|-)/.test(position) ? 'subscript' : 'none';
}

/** Whether any member of the archive requires a password. */
export function isEncrypted(archive: Archive): boolean {
  if (!archive.has('META-INF/manifest.xml')) return false;
  let found = false;
  readXml(archive, 'META-INF/manifest.xml', {
    whole: () => false,
    take: () => {},
    enter: (name) => {
      found ||= name === 'encryption-data';
    },
  });
  return found;
}

/**
 * Returns the repetitions of a row or cell up to a limit, because programs repeat empty ones to the end of the sheet.
 */
export function repeated(element: XmlElement, what: 'columns' | 'rows', most: number): number {
  const count = Number(element.attributes[`table:number-${what}-repeated`] ?? 1);
  return Math.min(Math.max(count || 1, 1), most);
}

/** Returns the rows of a table, including those in groups and in its header. */
export function rowsOf(table: XmlElement, found: XmlElement[] = []): XmlElement[] {
  for (const child of elementsOf(table)) {
    if (child.name === 'table-row') found.push(child);
    else if (/^table-(?:rows|header-rows|row-group)$/.test(child.name)) rowsOf(child, found);
  }
  return found;
}
