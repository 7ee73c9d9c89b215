import { childOf, childrenOf, type XmlElement } from '../xml/element.js';

/** The properties of a paragraph or its style. */
export interface ParagraphStyle {
  /** 1 for the highest heading. Undefined for text. */
  readonly heading?: number;
  readonly list?: ListItem;
}

/** The list position of a paragraph. */
export interface ListItem {
  /** The id of the list. */
  readonly id: string;
  /** From 0. */
  readonly depth: number;
  /** The style that names the list without a depth. */
  readonly style?: string;
}

const maxInheritance = 20;

/** Paragraph styles by id. */
export class DocxStyles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #known = new Map<string, ParagraphStyle>();

  constructor(root: XmlElement | undefined) {
    for (const style of root === undefined ? [] : childrenOf(root, 'style')) {
      const id = style.attributes['w:styleId'];
      if (id !== undefined) this.#elements.set(id, style);
    }
  }

  /** Returns the style of a paragraph with these properties (`w:pPr`). */
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
    // A document may use a style of Word without defining it.
    const heading = headingByName(valueOf(childOf(element, 'name')) ?? id);
    const style = { ...inherited, ...own, ...(heading === undefined ? {} : { heading }) };
    this.#known.set(id, style);
    return style;
  }
}

/** Returns the value attribute of most Word elements. */
export function valueOf(element: XmlElement | undefined): string | undefined {
  return element?.attributes['w:val'];
}

/** Whether a switch element exists and does not switch off. */
export function isOn(element: XmlElement | undefined): boolean {
  const value = valueOf(element) ?? element?.attributes['w14:val'] ?? '';
  return element !== undefined && !/^(?:0|false|off)$/.test(value);
}

/** `styleId`: the style of the properties. */
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
