import { childrenOf, elementsOf, type XmlElement } from '../xml/element.js';
import { readXml } from '../xml/read.js';
import type { Archive } from '../zip/archive.js';

const MAX_INHERITANCE = 20;

/** What styles say of paragraphs and lists. */
export class OdfStyles {
  readonly #parents = new Map<string, string>();
  /** Of each style of lists, the levels that are numbered. */
  readonly #numbered = new Map<string, ReadonlySet<string>>();

  constructor(archive: Archive) {
    for (const member of ['styles.xml', 'content.xml']) {
      if (!archive.has(member)) continue;
      let atBody = false;
      readXml(archive, member, {
        whole: (name) => name === 'style' || name === 'list-style',
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
    if (style.name !== 'list-style') return;
    const levels = [...childrenOf(style, 'list-level-style-number')];
    this.#numbered.set(
      name,
      new Set(levels.map(({ attributes }) => attributes['text:level'] ?? '')),
    );
  }

  /** The level of a paragraph that a style makes a heading. */
  heading(style: string | undefined): number | undefined {
    let name = style;
    for (let i = 0; i < MAX_INHERITANCE && name !== undefined; i++) {
      if (name === 'Title') return 1;
      const level = /^Heading_20_([1-9])$/.exec(name)?.[1];
      if (level !== undefined) return Number(level);
      name = this.#parents.get(name);
    }
    return undefined;
  }

  /** Whether the items of a list, at a depth from 0, are numbered. */
  isNumbered(style: string | undefined, depth: number): boolean {
    return this.#numbered.get(style ?? '')?.has(String(depth + 1)) ?? false;
  }
}

/** Whether any member of the archive can be read only with a password. */
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

/** How far a table's rows and cells may be repeated: programs repeat empty ones to the end of the sheet. */
export function repeated(element: XmlElement, what: 'columns' | 'rows', most: number): number {
  const count = Number(element.attributes[`table:number-${what}-repeated`] ?? 1);
  return Math.min(Math.max(count || 1, 1), most);
}

/** Rows of a table, those in groups and in its head too. */
export function rowsOf(table: XmlElement, found: XmlElement[] = []): XmlElement[] {
  for (const child of elementsOf(table)) {
    if (child.name === 'table-row') found.push(child);
    else if (/^table-(?:rows|header-rows|row-group)$/.test(child.name)) rowsOf(child, found);
  }
  return found;
}
