import { type Conversion, type DocumentPart, TroveError } from '@trove/core';
import { escapeText, toOneLine } from './escape.js';
import { tableLines } from './table.js';

/** Maximum characters of Markdown of one document. */
const maxLength = 16 * 1024 * 1024;
const indentation = '  ';
/** Control characters and line separators, which text does not contain. */
const controlCharacters = /[\0-\x08\v-\x1f\x7f\u2028\u2029]/g;

/** Collects the blocks of a document in order and records the first line of each part. */
export class MarkdownWriter {
  readonly #lines: string[] = [];
  readonly #parts: DocumentPart[] = [];
  readonly #notes = new Map<string, string>();
  #next: Omit<DocumentPart, 'line'> | undefined;
  #length = 0;
  /** The depths of the current item and its ancestors. Empty outside of a list. */
  readonly #depths: number[] = [];
  #hasText = false;
  #cut: string | undefined;

  /** True if the limit is reached. The writer then stops, and the Markdown says that it is truncated. */
  get isFull(): boolean {
    return this.isFullAfter(0);
  }

  /** Whether the limit is reached after this many more characters. */
  isFullAfter(length: number): boolean {
    return this.#length + length >= maxLength;
  }

  /** Starts a page, slide or sheet. A part without text is omitted. */
  part(kind: DocumentPart['kind'], number: number, name?: string): void {
    this.#next = name === undefined ? { kind, number } : { kind, number, name };
  }

  heading(level: number, text: string): void {
    const title = toOneLine(text);
    if (title === '') return;
    this.#block([`${'#'.repeat(Math.min(Math.max(level || 1, 1), 6))} ${title}`]);
    this.#hasText = true;
  }

  /** Writes text with its line breaks. */
  paragraph(text: string): void {
    this.#text(escapeText(text).split('\n'), '');
  }

  quote(text: string): void {
    this.#text(escapeText(text).split('\n'), '> ');
  }

  /** Writes Markdown and closes an open code block at its end. */
  markdown(text: string): void {
    const content = text.replaceAll('\r', '').trimEnd();
    if (content.trim() === '') return;
    const fence = openFence(content);
    this.#block([...content.split('\n'), ...(fence === '' ? [] : [fence])]);
    this.#hasText = true;
  }

  /** Writes unescaped text between fences that it does not contain. */
  code(text: string, language = ''): void {
    const content = text
      .trimEnd()
      .replace(/^(?:[ \t]*\n)+/, '')
      .replaceAll('\r', '');
    if (content === '') return;
    const longest =
      content.match(/`{3,}/g)?.reduce((max, { length }) => Math.max(max, length), 0) ?? 2;
    const fence = '`'.repeat(Math.max(3, longest + 1));
    this.#block([`${fence}${language}`, ...content.split('\n'), fence]);
    this.#hasText = true;
  }

  /** Writes an item of a list. `depth` counts from 0. */
  item(depth: number, marker: string, text: string): void {
    const [first = '', ...rest] = lines(escapeText(text).split('\n'));
    if (first === '') return;
    if (this.#depths.length === 0) this.#gap();
    const indent = indentation.repeat(this.#nest(depth));
    const hang = indent + ' '.repeat(marker.length + 1);
    this.#push([`${indent}${marker} ${first}`, ...rest.map((line) => hang + line)]);
    this.#hasText = true;
  }

  /** Returns the nesting of an item. A list that begins deep is not indented, because it would be a code block. */
  #nest(depth: number): number {
    const own = Math.max(depth, 0);
    while ((this.#depths.at(-1) ?? -1) >= own) this.#depths.pop();
    this.#depths.push(own);
    return Math.min(this.#depths.length - 1, 8);
  }

  /** Writes a table. The first row is the head. */
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

  /** Writes a rule between two texts, such as a page break. */
  rule(): void {
    if (this.#hasText && this.#lines.at(-1) !== '---') this.#block(['---']);
  }

  /** Adds a footnote, which the text refers to with `[^id]`. Footnotes are written at the end. */
  footnote(id: string, text: string): void {
    if (this.isFull) return;
    this.#notes.set(id, text);
    this.#length += text.length;
  }

  /** Writes a notice about omitted content. `what` is a sentence. */
  notice(what: string): void {
    this.#block([`> ${what}`]);
  }

  /** Adds a notice about omitted content to the end of the Markdown. */
  markTruncated(what: string): void {
    this.#cut ??= what;
  }

  get hasText(): boolean {
    return this.#hasText;
  }

  /** Returns the conversion. Throws `document_empty` with `whyEmpty` if nothing was written. */
  finish(title: string | undefined, whyEmpty: string): Conversion {
    // The length of footnotes was already added.
    for (const text of this.#notes.values()) this.#length -= text.length;
    for (const [id, text] of this.#notes) this.#text([`[^${id}]: ${toOneLine(text)}`], '');
    if (!this.#hasText) throw new TroveError('document_empty', whyEmpty);
    if (this.isFull)
      this.markTruncated(
        'The document exceeds the length limit of a conversion. The rest is omitted.',
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
    const content = lines(all);
    if (content.length === 0) return;
    this.#block(content.map((line) => prefix + line));
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

/** Returns the fence of an unclosed code block. '' for none. */
function openFence(markdown: string): string {
  let open = '';
  for (const [, fence = '', rest = ''] of markdown.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (open === '') open = fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = '';
  }
  return open;
}

/** Trims lines and drops blank ones, which would end a block. */
function lines(all: readonly string[]): string[] {
  return all.map((line) => line.trim()).filter((line) => line !== '');
}
