import { childOf, childrenOf, type XmlElement } from '../xml/element.js';

/** What a paragraph's properties say, or its style's. */
export interface ParagraphStyle {
  /** 1 for the highest heading; undefined for text. */
  readonly heading?: number;
  readonly list?: ListItem;
}

/** What a paragraph is in a list. */
export interface ListItem {
  /** Of the list. */
  readonly id: string;
  /** From 0. */
  readonly depth: number;
  /** The style that says so, without saying how deep. */
  readonly style?: string;
}

const maxInheritance = 20;

/** Styles of paragraphs by their ids. */
export class DocxStyles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #known = new Map<string, ParagraphStyle>();

  constructor(root: XmlElement | undefined) {
    for (const style of root === undefined ? [] : childrenOf(root, 'style')) {
      const id = style.attributes['w:styleId'];
      if (id !== undefined) this.#elements.set(id, style);
    }
  }

  /** What a paragraph with these properties (`w:pPr`) is. */
  of(properties: XmlElement | undefined): ParagraphStyle {
    if (properties === undefined) return {};
    const id = valueOf(childOf(properties, 'pStyle'));
    const inherited = id === undefined ? {} : this.#style(id, 0);
    return { ...inherited, ...ownStyle(properties, inherited) };
  }

  #style(id: string, inheritance: number): ParagraphStyle {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const element = this.#elements.get(id);
    if (inheritance > maxInheritance) return {};
    const base = valueOf(childOf(element, 'basedOn'));
    const inherited = base === undefined ? {} : this.#style(base, inheritance + 1);
    const own = ownStyle(childOf(element, 'pPr'), inherited, id);
    // A document may name a style of Word without defining it.
    const heading = headingByName(valueOf(childOf(element, 'name')) ?? id);
    const style = { ...inherited, ...own, ...(heading === undefined ? {} : { heading }) };
    this.#known.set(id, style);
    return style;
  }
}

/** The attribute that most elements of Word have. */
export function valueOf(element: XmlElement | undefined): string | undefined {
  return element?.attributes['w:val'];
}

/** Whether an element that switches something on exists and does not switch it off. */
export function isOn(element: XmlElement | undefined): boolean {
  const value = valueOf(element) ?? element?.attributes['w14:val'] ?? '';
  return element !== undefined && !/^(?:0|false|off)$/.test(value);
}

/** `styleId`: of the style whose properties they are. */
function ownStyle(
  properties: XmlElement | undefined,
  inherited: ParagraphStyle,
  styleId?: string,
): ParagraphStyle {
  const outline = Number(valueOf(childOf(properties, 'outlineLvl')) ?? Number.NaN);
  const list = listItem(childOf(properties, 'numPr'), inherited.list, styleId);
  return {
    ...(outline >= 0 && outline < 9 ? { heading: outline + 1 } : {}),
    ...(list === undefined ? {} : { list }),
  };
}

function listItem(
  numbering: XmlElement | undefined,
  inherited: ListItem | undefined,
  styleId: string | undefined,
): ListItem | undefined {
  const id = valueOf(childOf(numbering, 'numId')) ?? inherited?.id;
  if (numbering === undefined || id === undefined) return undefined;
  const depth = valueOf(childOf(numbering, 'ilvl'));
  if (depth !== undefined) return { id, depth: Number(depth) || 0 };
  const style = styleId ?? inherited?.style;
  return { id, depth: inherited?.depth ?? 0, ...(style === undefined ? {} : { style }) };
}

function headingByName(name: string): number | undefined {
  if (/^title$/i.test(name)) return 1;
  const level = /^heading ?([1-9])$/i.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
}
