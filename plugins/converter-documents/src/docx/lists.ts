import { childOf, childrenOf, type XmlElement } from '../xml/element.js';
import { valueOf } from './styles.js';

interface Level {
  readonly format: string;
  readonly start: number;
}

/** What lists look like, and how far each has counted. */
export class Lists {
  /** The levels of each list, by its id. */
  readonly #levels = new Map<string, readonly Level[]>();
  readonly #counted = new Map<string, number[]>();

  constructor(root: XmlElement | undefined) {
    if (root === undefined) return;
    const abstract = new Map<string | undefined, readonly Level[]>();
    for (const each of childrenOf(root, 'abstractNum')) {
      abstract.set(each.attributes['w:abstractNumId'], [...childrenOf(each, 'lvl')].map(levelOf));
    }
    for (const each of childrenOf(root, 'num')) {
      const levels = abstract.get(valueOf(childOf(each, 'abstractNumId')));
      const id = each.attributes['w:numId'];
      if (id !== undefined && levels !== undefined) this.#levels.set(id, levels);
    }
  }

  /** The marker of the next item: `-`, or `3.`; undefined for a list without any. */
  marker(id: string, depth: number): string | undefined {
    if (id === '0') return undefined;
    const level = this.#levels.get(id)?.[depth];
    if (level?.format === 'none') return undefined;
    if (level === undefined || level.format === 'bullet') return '-';
    const counted = this.#counted.get(id) ?? [];
    this.#counted.set(id, counted);
    counted.length = depth + 1;
    const number = (counted[depth] ?? level.start - 1) + 1;
    counted[depth] = number;
    return `${number}.`;
  }
}

function levelOf(element: XmlElement): Level {
  return {
    format: valueOf(childOf(element, 'numFmt')) ?? 'decimal',
    start: Number(valueOf(childOf(element, 'start')) ?? 1) || 0,
  };
}
