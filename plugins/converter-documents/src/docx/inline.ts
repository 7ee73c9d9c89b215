import { formatLink, toScript } from '@trove/text/markdown';
import { formula } from '../ooxml/formula.js';
import { childOf, childrenOf, elementsOf, textOf, type XmlElement } from '../xml/element.js';
import { alternativeOf } from './content.js';
import { isOn, valueOf } from './styles.js';
import { symbolOf } from './symbols.js';

/** Handlers for the content of a paragraph besides its text. */
export interface DocxInlineContext {
  /** Returns the address of a link by the id of its relationship. */
  link(id: string): string | undefined;
  /** Returns the label of a note by its kind and its id within that kind. */
  note(kind: 'footnote' | 'endnote' | 'comment', id: string): string;
  /** Receives text boxes, which float beside their paragraph. */
  box(content: XmlElement): void;
  /** Receives a chart or diagram by the id of its relationship. */
  drawing(id: string): void;
  /**
   * Called at the end of a page: by a manual break or by the last layout, possibly before any text of the paragraph.
   */
  page(forced: boolean, beforeText: boolean): void;
}

interface DocxField {
  instruction: string;
  result: string;
  isResult: boolean;
}

/** Elements without text content: properties, deleted text, phonetic hints, copies. */
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

/** Reads the text of one paragraph with its links and references to notes. */
export class InlineText {
  readonly #around: DocxInlineContext;
  /** Nested fields, the innermost last. */
  readonly #fields: DocxField[] = [];
  #text = '';
  #hasText = false;
  #shift: 'superscript' | 'subscript' | undefined;

  constructor(around: DocxInlineContext) {
    this.#around = around;
  }

  /** `paragraph`: may also be a formula. */
  read(paragraph: XmlElement): string {
    if (paragraph.name === 'oMath') this.#element(paragraph);
    else this.#content(paragraph);
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
        this.#add(this.#shifted(textOf(element)));
        break;
      case 'oMath':
        this.#add(formula(element));
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
        this.#add(symbolOf(attributes['w:font'] ?? '', attributes['w:char']));
        break;
      case 'r':
        if (!isHidden(element)) this.#run(element);
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
        this.#fieldCharacter(element);
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
        this.#content(alternativeOf(element) ?? element);
        break;
      case 'sdt':
        this.#control(element);
        break;
      default:
        if (!withoutText.has(name)) this.#content(element);
    }
  }

  /** A check box is written by its state, because its signs may be of any font. */
  #control(control: XmlElement): void {
    const box = childOf(childOf(control, 'sdtPr'), 'checkbox');
    if (box === undefined) this.#content(control);
    else this.#add(tick(isOn(childOf(box, 'checked'))));
  }

  #run(run: XmlElement): void {
    const outer = this.#shift;
    const shift = valueOf(childOf(childOf(run, 'rPr'), 'vertAlign'));
    this.#shift = shift === 'superscript' || shift === 'subscript' ? shift : undefined;
    this.#content(run);
    this.#shift = outer;
  }

  /** Keeps the shift of digits, because 10³ is not 103. Words such as the "st" of 1st are unchanged. */
  #shifted(text: string): string {
    return this.#shift === undefined ? text : (toScript(text, this.#shift) ?? text);
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
    this.#add(url === undefined ? text : formatLink(text, url));
  }

  #startField(instruction: string): void {
    this.#fields.push({ instruction, result: '', isResult: true });
  }

  #endField(): void {
    const field = this.#fields.pop();
    if (field === undefined) return;
    const url = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(field.instruction)?.[1];
    this.#add(url === undefined ? field.result : formatLink(field.result, url));
  }

  /** A field consists of an instruction and the last result that Word computed. */
  #fieldCharacter(element: XmlElement): void {
    const type = element.attributes['w:fldCharType'];
    this.#add(formField(childOf(element, 'ffData')));
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
  return isOn(childOf(childOf(run, 'rPr'), 'vanish'));
}

/** Returns the display of a form field without a result: a check box or a choice. */
function formField(data: XmlElement | undefined): string {
  const box = childOf(data, 'checkBox');
  if (box !== undefined) return tick(isOn(childOf(box, 'checked') ?? childOf(box, 'default')));
  const choices = childOf(data, 'ddList');
  if (choices === undefined) return '';
  const chosen = Number(valueOf(childOf(choices, 'result') ?? childOf(choices, 'default')) ?? 0);
  return valueOf(Array.from(childrenOf(choices, 'listEntry'))[chosen]) ?? '';
}

function tick(checked: boolean): string {
  return checked ? '☒' : '☐';
}
