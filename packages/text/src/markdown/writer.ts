import { type Conversion, type DocumentPart, TroveError } from '@trove/core';
import { escapeText, toOneLine } from './escape.js';
import { tableLines } from './table.js';

/** Characters of Markdown that one document may become. */
const maxLength = 16 * 1024 * 1024;
const indentation = '  ';
/** Characters that no text has, and that would end a line or a text elsewhere. */
const controlCharacters = /[\0-\x08\v-\x1f\x7f\u2028\u2029]/g;

/** Collects the blocks of a document in reading order and counts the lines at which its parts begin. */
export class MarkdownWriter {
  readonly #lines: string[] = [];
  readonly #parts: DocumentPart[] = [];
  readonly #notes = new Map<string, string>();
  #next: Omit<DocumentPart, 'line'> | undefined;
  #length = 0;
  /** The depths of the current item and those around it; empty outside of a list. */
  readonly #depths: number[] = [];
  #hasText = false;
  #cut: string | undefined;

  /** True when no more fits: whoever writes stops, and the Markdown says that it was cut. */
  get isFull(): boolean {
    return this.isFullAfter(0);
  }

  /** Whether nothing more would fit if this many characters were written first. */
  isFullAfter(length: number): boolean {
    return this.#length + length >= maxLength;
  }

  /** What follows belongs to this page, slide or sheet. One without text leaves no trace. */
  part(kind: DocumentPart['kind'], number: number, name?: string): void {
    this.#next = name === undefined ? { kind, number } : { kind, number, name };
  }

  heading(level: number, text: string): void {
    const title = toOneLine(text);
    if (title === '') return;
    this.#block([`${'#'.repeat(Math.min(Math.max(level || 1, 1), 6))} ${title}`]);
    this.#hasText = true;
  }

  /** Text whose line ends are kept. */
  paragraph(text: string): void {
    this.#text(escapeText(text).split('\n'), '');
  }

  quote(text: string): void {
    this.#text(escapeText(text).split('\n'), '> ');
  }

  /** What is Markdown already; a block of code that it leaves open ends with it. */
  markdown(text: string): void {
    const kept = text.replaceAll('\r', '').trimEnd();
    if (kept.trim() === '') return;
    const fence = openFence(kept);
    this.#block([...kept.split('\n'), ...(fence === '' ? [] : [fence])]);
    this.#hasText = true;
  }

  /** Text as it is, between fences that it does not contain. */
  code(text: string, language = ''): void {
    const kept = text
      .trimEnd()
      .replace(/^(?:[ \t]*\n)+/, '')
      .replaceAll('\r', '');
    if (kept === '') return;
    const longest =
      kept.match(/`{3,}/g)?.reduce((max, { length }) => Math.max(max, length), 0) ?? 2;
    const fence = '`'.repeat(Math.max(3, longest + 1));
    this.#block([`${fence}${language}`, ...kept.split('\n'), fence]);
    this.#hasText = true;
  }

  /** An item of a list; `depth` counts from 0. */
  item(depth: number, marker: string, text: string): void {
    const [first = '', ...rest] = lines(escapeText(text).split('\n'));
    if (first === '') return;
    if (this.#depths.length === 0) this.#gap();
    const indent = indentation.repeat(this.#nest(depth));
    const hang = indent + ' '.repeat(marker.length + 1);
    this.#push([`${indent}${marker} ${first}`, ...rest.map((line) => hang + line)]);
    this.#hasText = true;
  }

  /** How many items an item is written within: a list that begins deep would else be a block of code. */
  #nest(depth: number): number {
    const own = Math.max(depth, 0);
    while ((this.#depths.at(-1) ?? -1) >= own) this.#depths.pop();
    this.#depths.push(own);
    return Math.min(this.#depths.length - 1, 8);
  }

  /** The first row is the head. */
  table(rows: readonly (readonly string[])[]): void {
    let isEmpty = true;
    for (const line of tableLines(rows)) {
      if (isEmpty) this.#block([line]);
      else this.#push([line]);
      isEmpty = false;
      if (this.isFull) break;
    }
    this.#hasText ||= !isEmpty;
  }

  /** What stands between two texts, such as a page break. */
  rule(): void {
    if (this.#hasText && this.#lines.at(-1) !== '---') this.#block(['---']);
  }

  /** A footnote: where it belongs, the text has `[^id]`. They are written at the end. */
  footnote(id: string, text: string): void {
    if (this.isFull) return;
    this.#notes.set(id, text);
    this.#length += text.length;
  }

  /** Says in the Markdown that something is left out. `what` is a whole sentence. */
  notice(what: string): void {
    this.#block([`> ${what}`]);
  }

  /** Says at the end of the Markdown that the rest was left out. */
  markTruncated(what: string): void {
    this.#cut ??= what;
  }

  get hasText(): boolean {
    return this.#hasText;
  }

  /** Throws `document_empty`, with `whyEmpty`, if nothing was written. */
  finish(title: string | undefined, whyEmpty: string): Conversion {
    // Their length is counted already.
    for (const text of this.#notes.values()) this.#length -= text.length;
    for (const [id, text] of this.#notes) this.#text([`[^${id}]: ${toOneLine(text)}`], '');
    if (!this.#hasText) throw new TroveError('document_empty', whyEmpty);
    if (this.isFull)
      this.markTruncated(
        'The document is longer than what is converted of one; its rest is left out.',
      );
    if (this.#cut !== undefined) this.notice(this.#cut);
    const markdown = `${this.#lines.join('\n')}\n`;
    const name = toOneLine(title ?? '');
    return {
      markdown,
      ...(name === '' ? {} : { title: name }),
      ...(this.#parts.length === 0 ? {} : { parts: this.#parts }),
    };
  }

  #text(all: readonly string[], prefix: string): void {
    const kept = lines(all);
    if (kept.length === 0) return;
    this.#block(kept.map((line) => prefix + line));
    this.#hasText = true;
  }

  #block(block: readonly string[]): void {
    this.#depths.length = 0;
    this.#gap();
    this.#push(block);
  }

  #gap(): void {
    if (this.#lines.length > 0) this.#lines.push('');
  }

  #push(block: readonly string[]): void {
    if (this.#next !== undefined) {
      this.#parts.push({ line: this.#lines.length + 1, ...this.#next });
      this.#next = undefined;
    }
    for (const each of block) {
      const line = each.replaceAll(controlCharacters, '');
      this.#lines.push(line);
      this.#length += line.length + 1;
    }
  }
}

/** The fence of a block of code that does not end, '' for none. */
function openFence(markdown: string): string {
  let open = '';
  for (const [, fence = '', rest = ''] of markdown.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = '';
  }
  return open;
}

/** Lines without blank ones, which would end a block, and without spaces at their ends. */
function lines(all: readonly string[]): string[] {
  return all.map((line) => line.trim()).filter((line) => line !== '');
}
