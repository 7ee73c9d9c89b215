import { childOf, childrenOf, type XmlElement } from '../xml/element.js';
import { formatNumber } from '../markdown/number-format.js';
import { isOn, valueOf, type ListItem } from './styles.js';

interface DocxListLevel {
  readonly format: string;
  readonly start: number;
  /** `%1.%2` for the numbers of the parent level and of this one. */
  readonly text: string;
  /** The style of the paragraphs at this level. */
  readonly style: string | undefined;
  /** Whether the numbers of all levels are written in digits. */
  readonly isLegal: boolean;
  /** The number restarts below each item of this many top levels. */
  readonly restartsBelow: number;
}

/** By depth from 0. */
type Levels = readonly (DocxListLevel | undefined)[];

const maxLevels = 9;

/** The common definition of lists that count together. */
interface NumberingScheme {
  readonly levels: Levels;
  readonly counted: (number | undefined)[];
}

interface DocxList {
  readonly scheme: NumberingScheme;
  /** The first numbers of levels when this list first occurs, by depth. */
  readonly starts: Map<number, number>;
}

/** The label of an item. */
export interface ListLabel {
  /** `2.2` or `(a)`. '' for a bullet. */
  readonly text: string;
}

/** The definitions and counts of all lists. */
export class Lists {
  readonly #lists = new Map<string, DocxList>();

  constructor(root: XmlElement | undefined) {
    if (root === undefined) return;
    const schemes = schemesIn(root);
    for (const each of childrenOf(root, 'num')) {
      const scheme = schemes.get(valueOf(childOf(each, 'abstractNumId')));
      const id = each.attributes['w:numId'];
      if (id === undefined || scheme === undefined) continue;
      const { levels, starts } = overridden(scheme.levels, each);
      const own = levels === scheme.levels ? scheme : { levels, counted: scheme.counted };
      this.#lists.set(id, { scheme: own, starts });
    }
  }

  /** Returns the depth of an item. A level may take its paragraphs from a style. */
  depthOf({ id, depth, style }: ListItem): number {
    const { levels = [] } = this.#lists.get(id)?.scheme ?? {};
    const ofStyle = style === undefined ? -1 : levels.findIndex((level) => level?.style === style);
    return ofStyle === -1 ? depth : ofStyle;
  }

  /** Returns the list with a level for the paragraphs of a style. */
  ofStyle(style: string): ListItem | undefined {
    for (const [id, { scheme }] of this.#lists) {
      const depth = scheme.levels.findIndex((level) => level?.style === style);
      if (depth !== -1) return { id, depth };
    }
    return undefined;
  }

  /** Counts an item. Returns undefined without a bullet or number. */
  next(item: ListItem): ListLabel | undefined {
    if (item.id === '0') return undefined;
    const list = this.#lists.get(item.id);
    const depth = this.depthOf(item);
    const level = list?.scheme.levels[depth];
    if (list === undefined || level === undefined) return { text: '' };
    const { levels, counted } = list.scheme;
    const start = list.starts.get(depth);
    if (start !== undefined) {
      list.starts.delete(depth);
      counted[depth] = start - 1;
    }
    counted[depth] = (counted[depth] ?? level.start - 1) + 1;
    for (let below = depth + 1; below < Math.max(levels.length, counted.length); below++)
      if (depth < (levels[below]?.restartsBelow ?? below)) counted[below] = undefined;
    if (level.format === 'bullet') return { text: '' };
    const text = written(level, list.scheme);
    return text === '' ? undefined : { text };
  }
}

function written(level: DocxListLevel, { levels, counted }: NumberingScheme): string {
  return level.text
    .replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const { start = 1, format = 'decimal' } = levels[at] ?? {};
      if (format === 'none') return '';
      const isPlain = level.isLegal && format !== 'decimalZero';
      return formatNumber(counted[at] ?? start, isPlain ? 'decimal' : format);
    })
    .trim();
}

function schemesIn(root: XmlElement): Map<string | undefined, NumberingScheme> {
  const schemes = new Map<string | undefined, NumberingScheme>();
  const byStyle = new Map<string, NumberingScheme>();
  const linked: [id: string | undefined, style: string][] = [];
  for (const each of childrenOf(root, 'abstractNum')) {
    const id = each.attributes['w:abstractNumId'];
    const style = valueOf(childOf(each, 'styleLink'));
    const link = valueOf(childOf(each, 'numStyleLink'));
    if (link !== undefined) linked.push([id, link]);
    const scheme = { levels: levelsIn(each), counted: [] };
    schemes.set(id, scheme);
    if (style !== undefined) byStyle.set(style, scheme);
  }
  for (const [id, style] of linked) {
    const scheme = byStyle.get(style);
    if (scheme !== undefined) schemes.set(id, scheme);
  }
  return schemes;
}

/** Returns the levels of one list with its own overrides. */
function overridden(levels: Levels, list: XmlElement) {
  const starts = new Map<number, number>();
  let own = levels;
  for (const each of childrenOf(list, 'lvlOverride')) {
    const depth = Number(each.attributes['w:ilvl']);
    const start = valueOf(childOf(each, 'startOverride'));
    const level = childOf(each, 'lvl');
    if (level !== undefined && depth < levels.length) own = own.with(depth, levelOf(level, depth));
    if (start !== undefined) starts.set(depth, Number(start) || 0);
  }
  return { levels: own, starts };
}

function levelsIn(parent: XmlElement): Levels {
  const levels: (DocxListLevel | undefined)[] = [];
  for (const each of childrenOf(parent, 'lvl')) {
    const depth = Number(each.attributes['w:ilvl'] ?? levels.length);
    if (depth >= 0 && depth < maxLevels) levels[depth] = levelOf(each, depth);
  }
  return levels;
}

function levelOf(element: XmlElement, depth: number): DocxListLevel {
  return {
    format: valueOf(childOf(element, 'numFmt')) ?? 'decimal',
    start: Number(valueOf(childOf(element, 'start')) ?? 1) || 0,
    text: valueOf(childOf(element, 'lvlText')) ?? `%${depth + 1}.`,
    style: valueOf(childOf(element, 'pStyle')),
    isLegal: isOn(childOf(element, 'isLgl')),
    restartsBelow: Number(valueOf(childOf(element, 'lvlRestart')) ?? depth) || 0,
  };
}
