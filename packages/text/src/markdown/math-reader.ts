import { grouped, shifted } from './linear.js';

type Attributes = Readonly<Record<string, string>>;

interface Open {
  readonly name: string;
  readonly attributes: Attributes;
  /** The texts of the elements within. */
  readonly parts: string[];
  text: string;
}

/** Signs above a letter, by the characters that MathML has for them. */
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
/** Operators over a range, which what they apply to follows as a word of its own. */
const overRange = /^[∏-∑∫-∳⋀-⋃]$/u;
/** Elements below this depth are read as text, because each level copies what is in it. */
const maxDepth = 200;
const withoutText = new Set(['annotation', 'annotation-xml', 'mphantom', 'none', 'mprescripts']);
/** Operators that are not shown: function application, times, separator and plus. */
const invisible = /[\u2061-\u2064]/g;

/** Takes the elements of a formula in MathML as they come and writes it in one line, such as `12/3` or `10³`. */
export class MathReader {
  readonly #root: Open = { name: 'math', attributes: {}, parts: [], text: '' };
  readonly #open: Open[] = [this.#root];
  /** How many elements are open below `maxDepth`. */
  #tooDeep = 0;

  /** The formula so far. */
  get written(): string {
    return this.#root.parts.join('').replaceAll(/\s+/g, ' ').trim();
  }

  open(qualified: string, attributes: Attributes): void {
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
    if (element !== undefined) this.#open.at(-1)?.parts.push(written(element));
  }
}

function written({ name, attributes, parts, text }: Open): string {
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
      return `${grouped(first)}${/^0(?:$|[a-z%])/.test(attributes['linethickness'] ?? '') ? '¦' : '/'}${grouped(second)}`;
    case 'msup':
      return grouped(first) + shifted(second, 'superscript');
    case 'msub':
    case 'munder':
      return withBoth(first, second, '');
    case 'mover':
      return over(first, second);
    case 'msubsup':
    case 'munderover':
    case 'mmultiscripts':
      return withBoth(first, second, third);
    case 'msqrt':
      return `√(${parts.join('')})`;
    case 'mroot':
      return `${shifted(second, 'superscript')}√(${first})`;
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

function withBoth(base: string, sub: string, sup: string): string {
  const end = overRange.test(base) ? ' ' : '';
  return grouped(base) + shifted(sub, 'subscript') + shifted(sup, 'superscript') + end;
}

function over(base: string, sign: string): string {
  const accent = accents[sign];
  return accent !== undefined && Array.from(base).length === 1
    ? base + accent
    : grouped(base) + shifted(sign, 'superscript');
}

function localName(qualified: string): string {
  return qualified.slice(qualified.indexOf(':') + 1).toLowerCase();
}
