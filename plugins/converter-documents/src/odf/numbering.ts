import { formatNumber } from '../markdown/number-format.js';
import { childOf, elementsOf, textOf, type XmlElement } from '../xml/element.js';

interface OdfListLevel {
  /** `1`, `a` or `I`. '' if the level shows no number. */
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** The number of levels that the label shows, from this one upwards. */
  readonly shown: number;
}

/** The numbered levels of a list style, by depth from 0. */
export type ListStyle = ReadonlyMap<number, OdfListLevel>;

/** The counter of each level of a list, by depth from 0. */
export type ItemCounters = (number | undefined)[];

const maxDepth = 10;
const formats: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};

/** Reads a `text:list-style` or `text:outline-style`. */
export function listStyleOf(style: XmlElement): ListStyle {
  const levels = new Map<number, OdfListLevel>();
  for (const { name, attributes } of elementsOf(style)) {
    if (name !== 'list-level-style-number' && name !== 'outline-level-style') continue;
    levels.set(Number(attributes['text:level'] ?? 1) - 1, {
      format: attributes['style:num-format'] ?? (name === 'outline-level-style' ? '' : '1'),
      prefix: attributes['style:num-prefix'] ?? '',
      suffix: attributes['style:num-suffix'] ?? '',
      start: integer(attributes['text:start-value'], 1),
      shown: integer(attributes['text:display-levels'], 1),
    });
  }
  return levels;
}

/** Counts a paragraph and returns its label, or '' for a bullet or an unnumbered level. */
export function countItem(
  style: ListStyle,
  counted: ItemCounters,
  depth: number,
  start?: string,
): string {
  const own = style.get(depth);
  const first = own?.start ?? 1;
  counted.length = Math.min(counted.length, depth + 1);
  counted[depth] = start === undefined ? (counted[depth] ?? first - 1) + 1 : integer(start, first);
  if (own === undefined || own.format === '') return '';
  const numbers: string[] = [];
  for (let at = Math.max(0, depth - Math.min(own.shown, maxDepth) + 1); at <= depth; at++) {
    const level = style.get(at);
    if (level === undefined || level.format === '') continue;
    numbers.push(formatNumber(counted[at] ?? level.start, formats[level.format] ?? 'decimal'));
  }
  return `${own.prefix}${numbers.join('.')}${own.suffix}`.trim();
}

/** Returns the label that the program saved in the file (`text:number`). */
export function savedLabel(paragraph: XmlElement): string | undefined {
  const label = textOf(childOf(paragraph, 'number')).trim();
  return label === '' ? undefined : label;
}

function integer(value: string | undefined, otherwise: number): number {
  const number = Number(value ?? otherwise);
  return Number.isSafeInteger(number) && number >= 0 ? number : otherwise;
}
