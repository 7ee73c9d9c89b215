import type { HtmlAttributes } from './html/elements.js';
import { parenthesize, formatScript } from './linear-math.js';

interface OpenMathElement {
  readonly name: string;
  readonly attributes: HtmlAttributes;
  /** The texts of the elements within. */
  readonly parts: string[];
  text: string;
}

/** Combining accents by their MathML characters. */
const accents: Readonly<Record<string, string>> = {
  '^': '\u0302',
  ˆ: '\u0302',
  '¯': '\u0304',
  '‾': '\u0304',
  '~': '\u0303',
  '˜': '\u0303',
  '→': '\u20d7',
  '⃗': '\u20d7',
  '˙': '\u0307',
  '.': '\u0307',
};
/** Operators over a range, which a space separates from their operand. */
const overRange = /^[∏-∑∫-∳⋀-⋃]$/u;
/** Deeper elements are read as text, because each level copies its content. */
const maxDepth = 200;
const withoutText = new Set(['annotation', 'annotation-xml', 'mphantom', 'none', 'mprescripts']);
/** Invisible operators: function application, times, separator and plus. */
const invisible = /[\u2061-\u2064]/g;

/** Converts a stream of MathML elements to one line, such as `12/3` or `10³`. */
export class MathReader {
  readonly #root: OpenMathElement = { name: 'math', attributes: {}, parts: [], text: '' };
  readonly #open: OpenMathElement[] = [this.#root];
  /** The number of open elements below `maxDepth`. */
  #tooDeep = 0;

  /** The formula so far. */
  get formula(): string {
    return this.#root.parts.join('').replaceAll(/\s+/g, ' ').trim();
  }

  open(qualified: string, attributes: HtmlAttributes): void {
    if (this.#open.length > maxDepth) this.#tooDeep++;
    else this.#open.push({ name: localName(qualified), attributes, parts: [], text: '' });
  }

  text(text: string): void {
    const element = this.#open.at(-1);
    if (this.#tooDeep > 0) element?.parts.push(text.trim());
    else if (element !== undefined) element.text += text;
  }

  /** Closes the innermost element. */
  close(): void {
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return;
    }
    if (this.#open.length === 1) return;
    const element = this.#open.pop();
    if (element !== undefined) this.#open.at(-1)?.parts.push(formatElement(element));
  }
}

function formatElement({ name, attributes, parts, text }: OpenMathElement): string {
  const [first = '', second = '', third = ''] = parts;
  switch (name) {
    case 'mi':
    case 'mn':
    case 'ms':
      return text.trim() + parts.join('');
    case 'mo':
      return operator(text.trim());
    case 'mtext':
      return text.replaceAll(/\s+/g, ' ') + parts.join('');
    case 'mspace':
      return ' ';
    case 'mfrac':
      return `${parenthesize(first)}${/^0(?:$|[a-z%])/.test(attributes['linethickness'] ?? '') ? '¦' : '/'}${parenthesize(second)}`;
    case 'msup':
      return parenthesize(first) + formatScript(second, 'superscript');
    case 'msub':
    case 'munder':
      return withScripts(first, second, '');
    case 'mover':
      return withOverscript(first, second);
    case 'msubsup':
    case 'munderover':
    case 'mmultiscripts':
      return withScripts(first, second, third);
    case 'msqrt':
      return `√(${parts.join('')})`;
    case 'mroot':
      return `${formatScript(second, 'superscript')}√(${first})`;
    case 'mtable':
      return parts.join('; ');
    case 'mtr':
    case 'mlabeledtr':
      return parts.join(' ');
    case 'mfenced':
      return `${attributes['open'] ?? '('}${parts.join(attributes['separators']?.trim()[0] ?? ',')}${attributes['close'] ?? ')'}`;
    case 'semantics':
      return first;
    default:
      return withoutText.has(name) ? '' : parts.join('');
  }
}

/** A function's name and its argument are separate words. */
function operator(text: string): string {
  return text === '\u2061' ? ' ' : text.replaceAll(invisible, '');
}

function withScripts(base: string, sub: string, sup: string): string {
  const end = overRange.test(base) ? ' ' : '';
  return (
    parenthesize(base) + formatScript(sub, 'subscript') + formatScript(sup, 'superscript') + end
  );
}

function withOverscript(base: string, sign: string): string {
  const accent = accents[sign];
  return accent !== undefined && Array.from(base).length === 1
    ? base + accent
    : parenthesize(base) + formatScript(sign, 'superscript');
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1).toLowerCase();
}
