import { link } from '@trove/core/markdown';
import { childOf, elementsOf, textOf, type XmlElement } from '../xml/element.js';
import { valueOf } from './styles.js';

/** What the text of a paragraph leads to besides itself. */
export interface Surroundings {
  /** The address of a link by the id of its relationship. */
  link(id: string): string | undefined;
  /** The label of a note, by its kind and its id within that kind. */
  note(kind: 'footnote' | 'endnote' | 'comment', id: string): string;
  /** Text boxes, which float beside their paragraph. */
  box(content: XmlElement): void;
  /** A chart or diagram, by the id of the relationship to what it shows. */
  drawing(id: string): void;
  /** Where a page ends: by the author's will, or as it was last laid out, maybe before any text of the paragraph. */
  page(forced: boolean, beforeText: boolean): void;
}

interface Field {
  instruction: string;
  result: string;
  isResult: boolean;
}

/** Elements whose content is not part of the text: properties, deleted text, readings above characters, copies. */
const withoutText = new Set([
  'pPr',
  'rPr',
  'del',
  'moveFrom',
  'delText',
  'rt',
  'Fallback',
  'sdtPr',
  'sdtEndPr',
]);

/** The text of one paragraph, with its links and references to notes. */
export class InlineText {
  readonly #around: Surroundings;
  /** Fields within fields, the innermost last. */
  readonly #fields: Field[] = [];
  #text = '';
  #hasText = false;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  read(paragraph: XmlElement): string {
    this.#content(paragraph);
    while (this.#fields.length > 0) this.#endField();
    return this.#text;
  }

  #content(parent: XmlElement): void {
    for (const element of elementsOf(parent)) this.#element(element);
  }

  #element(element: XmlElement): void {
    const { name, attributes } = element;
    switch (name) {
      case 't':
        this.#add(textOf(element));
        break;
      case 'tab':
      case 'ptab':
        this.#add('\t');
        break;
      case 'cr':
        this.#add('\n');
        break;
      case 'br':
        if (attributes['w:type'] === 'page') this.#pageEnds(true);
        else this.#add('\n');
        break;
      case 'lastRenderedPageBreak':
        this.#pageEnds(false);
        break;
      case 'noBreakHyphen':
        this.#add('-');
        break;
      case 'sym':
        this.#add(symbol(attributes['w:char']));
        break;
      case 'r':
        if (!isHidden(element)) this.#content(element);
        break;
      case 'hyperlink':
        this.#link(element);
        break;
      case 'fldSimple':
        this.#startField(attributes['w:instr'] ?? '');
        this.#content(element);
        this.#endField();
        break;
      case 'fldChar':
        this.#fieldCharacter(attributes['w:fldCharType']);
        break;
      case 'instrText':
        this.#instruct(textOf(element));
        break;
      case 'footnoteReference':
        this.#add(this.#around.note('footnote', attributes['w:id'] ?? ''));
        break;
      case 'endnoteReference':
        this.#add(this.#around.note('endnote', attributes['w:id'] ?? ''));
        break;
      case 'commentReference':
        this.#add(this.#around.note('comment', attributes['w:id'] ?? ''));
        break;
      case 'txbxContent':
        this.#around.box(element);
        break;
      case 'chart':
      case 'relIds':
        this.#around.drawing(attributes['r:id'] ?? attributes['r:dm'] ?? '');
        break;
      case 'AlternateContent':
        this.#content(childOf(element, 'Choice') ?? childOf(element, 'Fallback') ?? element);
        break;
      default:
        if (!withoutText.has(name)) this.#content(element);
    }
  }

  #add(text: string): void {
    this.#hasText ||= text.trim() !== '';
    const field = this.#fields.at(-1);
    if (field === undefined) this.#text += text;
    else if (field.isResult) field.result += text;
  }

  #pageEnds(forced: boolean): void {
    this.#around.page(forced, !this.#hasText);
  }

  #link(element: XmlElement): void {
    this.#startField('');
    this.#content(element);
    const text = this.#fields.pop()?.result ?? '';
    const id = element.attributes['r:id'];
    const url = id === undefined ? undefined : this.#around.link(id);
    this.#add(url === undefined ? text : link(text, url));
  }

  #startField(instruction: string): void {
    this.#fields.push({ instruction, result: '', isResult: true });
  }

  #endField(): void {
    const field = this.#fields.pop();
    if (field === undefined) return;
    const url = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(field.instruction)?.[1];
    this.#add(url === undefined ? field.result : link(field.result, url));
  }

  /** A field is an instruction, then what Word last made of it. */
  #fieldCharacter(type: string | undefined): void {
    const field = this.#fields.at(-1);
    if (type === 'begin') this.#fields.push({ instruction: '', result: '', isResult: false });
    else if (type === 'separate' && field !== undefined) field.isResult = true;
    else if (type === 'end') this.#endField();
  }

  #instruct(text: string): void {
    const field = this.#fields.at(-1);
    if (field !== undefined && !field.isResult) field.instruction += text;
  }
}

function isHidden(run: XmlElement): boolean {
  const vanish = childOf(childOf(run, 'rPr'), 'vanish');
  return vanish !== undefined && !/^(?:0|false|off)$/.test(valueOf(vanish) ?? '');
}

/** Characters of symbol fonts have codes without a meaning of their own. */
function symbol(code: string | undefined): string {
  const point = Number.parseInt(code ?? '', 16);
  return point >= 0x20 && point < 0xd8_00 ? String.fromCodePoint(point) : '•';
}
