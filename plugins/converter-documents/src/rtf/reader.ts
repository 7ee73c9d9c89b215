import { formatLink, type MarkdownWriter, toOneLine, toScript } from '@trove/text/markdown';
import { labelled, writeItem } from '../markdown/labels.js';
import { formula } from '../ooxml/formula.js';
import { tooComplex } from '../errors.js';
import { decode, encodingOfCharset, encodingOfCodePage } from './encodings.js';
import { addMathText, childElement, mathElement, type MathElement } from './math.js';
import type { RtfSink } from './tokens.js';
import { characterOf, destinationOf, type RtfDestination } from './words.js';

/** More levels than any program writes. */
const maxDepth = 2_000;
/** The value of `outline` for text other than headings. */
const bodyText = 9;

interface CollectedText {
  readonly place: RtfDestination;
  text: string;
}

/** The state of a group. A nested group starts with a copy. */
interface RtfState {
  into: CollectedText;
  encoding: string;
  /** The number of characters after a `\u` for old readers. */
  fallback: number;
  hidden: boolean;
  /** Deleted or moved text in a document with tracked changes. */
  deleted: boolean;
  shift: 'superscript' | 'subscript' | undefined;
  font: number;
  style: number;
  /** 0 for the highest heading. */
  outline: number | undefined;
  inTable: boolean;
  level: number;
  /** The surrounding field, whose result needs its instruction. */
  field: { url: string };
  /** The formula element around the group. */
  math: MathElement | undefined;
}

/** Converts the tokens of an RTF file to Markdown. */
export class RtfReader implements RtfSink {
  readonly #writer: MarkdownWriter;
  readonly #body: CollectedText = { place: 'body', text: '' };
  readonly #encodings = new Map<number, string>();
  readonly #headings = new Map<number, number>();
  readonly #stack: RtfState[] = [];
  readonly #boxes: string[] = [];
  /** Headers and footers of the sections so far. */
  readonly #edges = new Set<string>();
  #state: RtfState;
  #base = 'windows-1252';
  #pending: Uint8Array[] = [];
  #starred = false;
  #atStart = false;
  #toSkip = 0;
  /** The label of the current paragraph: undefined outside lists, '' for a bullet. */
  #label: string | undefined;
  #cells: string[] = [];
  #rows: string[][] = [];
  #notes = 0;
  title = '';

  constructor(writer: MarkdownWriter) {
    this.#writer = writer;
    this.#state = {
      into: this.#body,
      encoding: this.#base,
      fallback: 1,
      hidden: false,
      deleted: false,
      shift: undefined,
      font: -1,
      style: -1,
      outline: undefined,
      inTable: false,
      level: 0,
      field: { url: '' },
      math: undefined,
    };
  }

  open(): void {
    this.#flush();
    if (this.#stack.length >= maxDepth) throw tooComplex('has groups nested too deeply');
    this.#stack.push(this.#state);
    this.#state = { ...this.#state };
    this.#toSkip = 0;
    this.#atStart = true;
  }

  close(): void {
    this.#flush();
    const ended = this.#state;
    const outer = this.#stack.pop();
    if (outer === undefined) return;
    this.#state = outer;
    this.#toSkip = 0;
    if (ended.into.place === 'styles') this.#style(ended);
    else if (ended.into !== outer.into) this.#collected(ended);
  }

  text(bytes: Uint8Array): void {
    this.#starred = false;
    this.#atStart = false;
    const skipped = Math.min(this.#toSkip, bytes.length);
    this.#toSkip -= skipped;
    if (this.#takesText()) this.#pending.push(bytes.subarray(skipped));
  }

  control(word: string, value: number | undefined): void {
    this.#flush();
    const place = destinationOf(word, this.#starred);
    // `\*` marks a group as optional, but only at its start.
    this.#starred = word === '*' && this.#atStart;
    const isFirst = this.#atStart;
    this.#atStart = false;
    const { math } = this.#state;
    if (isFirst && math !== undefined && value === undefined) {
      this.#state.math = childElement(math, word) ?? math;
    }
    const character = characterOf(word);
    if (place !== undefined) this.#enter(place);
    else if (character !== undefined) this.#add(character);
    else this.#apply(word, value);
  }

  /** The last paragraph of a file may lack an end. */
  end(): void {
    this.#flush();
    this.#paragraph();
    this.#table();
  }

  /** Applies a control word for characters. */
  #apply(word: string, value: number | undefined): void {
    const state = this.#state;
    switch (word) {
      case 'u':
        this.#add(String.fromCharCode((value ?? 0) & 0xff_ff));
        this.#toSkip = state.fallback;
        break;
      case 'uc':
        state.fallback = Math.max(value ?? 1, 0);
        break;
      case 'ansicpg':
        this.#base = state.encoding = encodingOfCodePage(value ?? 1252);
        break;
      case 'mac':
        this.#base = state.encoding = 'macintosh';
        break;
      case 'f':
        state.font = value ?? 0;
        state.encoding = this.#encodings.get(state.font) ?? this.#base;
        break;
      case 'fcharset':
        this.#fontEncoding(encodingOfCharset(value ?? 0));
        break;
      case 'cpg':
        this.#fontEncoding(encodingOfCodePage(value ?? 1252));
        break;
      case 'v':
        state.hidden = value !== 0;
        break;
      case 'deleted':
      case 'mvf':
        state.deleted = value !== 0;
        break;
      case 'plain':
        Object.assign(state, { hidden: false, deleted: false, shift: undefined });
        break;
      case 'super':
      case 'sub':
      case 'nosupersub':
      case 'up':
      case 'dn':
        state.shift = shiftOf(word, value);
        break;
      case 'field':
        state.field = { url: '' };
        break;
      default:
        this.#layOut(word, value);
    }
  }

  /** Applies a control word for paragraphs, lists and tables. */
  #layOut(word: string, value: number | undefined): void {
    const state = this.#state;
    switch (word) {
      case 'pard':
        Object.assign(state, { style: -1, outline: undefined, inTable: false, level: 0 });
        break;
      case 's':
        state.style = value ?? 0;
        break;
      case 'outlinelevel':
        state.outline = value;
        break;
      case 'ilvl':
        state.level = Math.max(value ?? 0, 0);
        break;
      case 'intbl':
        state.inTable = true;
        break;
      case 'par':
      case 'sect':
        // A deleted paragraph mark joins two paragraphs.
        if (state.deleted) break;
        if (state.into === this.#body && !state.inTable) this.#paragraph();
        else this.#add('\n');
        break;
      case 'nestcell':
      case 'nestrow':
        this.#add('\n');
        break;
      case 'cell':
        if (state.into === this.#body) this.#cell();
        break;
      case 'row':
        if (state.into === this.#body) this.#row();
        break;
      case 'page':
        if (state.into !== this.#body || state.inTable) break;
        this.#paragraph();
        this.#writer.rule();
        break;
      default:
    }
  }

  #takesText(): boolean {
    const { hidden, deleted, into } = this.#state;
    return !hidden && !deleted && into.place !== 'nowhere' && !this.#writer.isFull;
  }

  #add(text: string): void {
    const { into, shift, math } = this.#state;
    // Keeps the shift of digits, because 10³ is not 103. Words such as the "st" of 1st lose it.
    const shown = shift === undefined ? text : (toScript(text, shift) ?? text);
    if (!this.#takesText()) return;
    if (math !== undefined && into.place === 'math') addMathText(math, text);
    else into.text += shown;
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const [only] = this.#pending;
    const bytes =
      only !== undefined && this.#pending.length === 1 ? only : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#add(decode(bytes, this.#state.encoding));
  }

  #fontEncoding(encoding: string | undefined): void {
    const { into, font } = this.#state;
    if (into.place === 'fonts' && encoding !== undefined) this.#encodings.set(font, encoding);
  }

  #enter(place: RtfDestination): void {
    if (this.#state.into.place === 'nowhere' && place !== 'title') return;
    this.#state.into = { place, text: '' };
    this.#state.shift = undefined;
    this.#state.math = place === 'math' ? mathElement('oMath') : undefined;
  }

  #style({ into, style, outline }: RtfState): void {
    const name = into.text.replace(';', '').trim().toLowerCase();
    into.text = '';
    const level = /^heading (\d)/.exec(name)?.[1];
    if (level !== undefined) this.#headings.set(style, Number(level));
    else if (name === 'title') this.#headings.set(style, 1);
    else if (outline !== undefined && outline < bodyText) this.#headings.set(style, outline + 1);
  }

  /** Handles the end of a group with a special destination. */
  #collected({ into: { place, text }, field, math }: RtfState): void {
    switch (place) {
      case 'instruction':
        field.url = /HYPERLINK\s+"([^"]+)"/i.exec(text)?.[1] ?? '';
        break;
      case 'result':
        this.#add(field.url === '' ? text : formatLink(text, field.url));
        break;
      case 'title':
        this.title = text;
        break;
      case 'marker':
        if (this.#takesText()) this.#label = labelOf(text);
        break;
      case 'note':
        this.#note(text);
        break;
      case 'box':
        this.#boxes.push(text);
        break;
      case 'math':
        this.#add(formula(math));
        break;
      case 'edge':
        if (!this.#edges.has(text)) this.#writer.paragraph(text);
        this.#edges.add(text);
        break;
      default:
    }
  }

  #note(text: string): void {
    if (toOneLine(text) === '') return;
    this.#notes++;
    this.#add(`[^${this.#notes}]`);
    this.#writer.footnote(String(this.#notes), text);
  }

  #paragraph(): void {
    const { text } = this.#body;
    const label = this.#label;
    this.#body.text = '';
    this.#label = undefined;
    if (text.trim() !== '') {
      this.#table();
      const { style, outline = bodyText, level } = this.#state;
      const heading = outline < bodyText ? outline + 1 : this.#headings.get(style);
      if (heading !== undefined) this.#writer.heading(heading, labelled(label, text));
      else if (label !== undefined) writeItem(this.#writer, level, label, text);
      else this.#writer.paragraph(text);
    }
    for (const box of this.#boxes.splice(0)) this.#writer.paragraph(box);
  }

  #cell(): void {
    this.#cells.push(labelled(this.#label, this.#body.text));
    this.#body.text = '';
    this.#label = undefined;
  }

  #row(): void {
    this.#rows.push(this.#cells);
    this.#cells = [];
  }

  #table(): void {
    if (this.#cells.length > 0) this.#row();
    if (this.#rows.length > 0) this.#writer.table(this.#rows);
    this.#rows = [];
  }
}

/** Returns the number of an item, or '' for a bullet. A symbol font may show a letter as a bullet. */
function labelOf(text: string): string {
  const label = toOneLine(text);
  return /\p{N}|[\p{L}].|.\p{L}/u.test(label) ? label : '';
}

/** `value`: the distance in half points by which `up` or `dn` moves text. */
function shiftOf(word: string, value: number | undefined): RtfState['shift'] {
  if (word === 'super' || word === 'sub')
    return value === 0 ? undefined : word === 'super' ? 'superscript' : 'subscript';
  if (word === 'nosupersub' || value === 0) return undefined;
  return word === 'up' ? 'superscript' : 'subscript';
}
