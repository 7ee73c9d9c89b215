import { parenthesize, formatScript } from '@trove/text/markdown';
import { childOf, childrenOf, elementsOf, textOf, type XmlElement } from '../xml/element.js';

/** Writes an Office formula in one line, such as `12/3`, `10³` or `√(16)`. */
export function formula(element: XmlElement | undefined): string {
  if (element === undefined) return '';
  const part = (name: string) => formula(childOf(element, name));
  switch (element.name) {
    case 't':
      return textOf(element);
    case 'f':
      return fraction(element);
    case 'sSup':
      return parenthesize(part('e')) + formatScript(part('sup'), 'superscript');
    case 'sSub':
      return parenthesize(part('e')) + formatScript(part('sub'), 'subscript');
    case 'sSubSup':
      return (
        parenthesize(part('e')) +
        formatScript(part('sub'), 'subscript') +
        formatScript(part('sup'), 'superscript')
      );
    case 'nary':
      return [
        valueIn(childOf(element, 'naryPr'), 'chr') ?? '∫',
        formatScript(part('sub'), 'subscript'),
        formatScript(part('sup'), 'superscript'),
        ` ${part('e')}`,
      ].join('');
    case 'sPre':
      return (
        formatScript(part('sub'), 'subscript') +
        formatScript(part('sup'), 'superscript') +
        parenthesize(part('e'))
      );
    case 'acc':
      return accented(part('e'), valueIn(childOf(element, 'accPr'), 'chr') ?? '\u0302');
    case 'bar':
      return accented(part('e'), '\u0304');
    case 'd':
      return delimited(element);
    case 'eqArr':
      return parts(element, 'e').join('; ');
    case 'm':
      return `[${parts(element, 'mr').join('; ')}]`;
    case 'mr':
      return parts(element, 'e').join(' ');
    case 'func':
      return `${part('fName')} ${part('e')}`;
    case 'limLow':
      return `${part('e')}_${parenthesize(part('lim'))}`;
    case 'limUpp':
      return `${part('e')}^${parenthesize(part('lim'))}`;
    case 'rad':
      return `${formatScript(part('deg'), 'superscript')}√(${part('e')})`;
    default:
      if (/Pr$|^(?:del|moveFrom)$/.test(element.name)) return '';
      return Array.from(elementsOf(element), formula).join('');
  }
}

function parts(element: XmlElement, name: string): string[] {
  return Array.from(childrenOf(element, name), formula);
}

/** Writes an expression in its brackets, by default parentheses. */
function delimited(element: XmlElement): string {
  const properties = childOf(element, 'dPr');
  const sign = (name: string): string | undefined => valueIn(properties, name);
  const only = childOf(childOf(element, 'e'), 'm');
  // Delimiters around a matrix replace its own brackets.
  const within =
    only === undefined
      ? parts(element, 'e').join(sign('sepChr') ?? '|')
      : parts(only, 'mr').join('; ');
  return `${sign('begChr') ?? '('}${within}${sign('endChr') ?? ')'}`;
}

/** A fraction without a line, as in a binomial coefficient, has a broken bar. */
function fraction(element: XmlElement): string {
  const line = valueIn(childOf(element, 'fPr'), 'type') === 'noBar' ? '¦' : '/';
  const part = (name: string): string => parenthesize(formula(childOf(element, name)));
  return part('num') + line + part('den');
}

/** Only a single letter can carry a combining sign. */
function accented(base: string, sign: string): string {
  return Array.from(base).length === 1 && /^\p{M}$/u.test(sign) ? base + sign : base;
}

function valueIn(properties: XmlElement | undefined, name: string): string | undefined {
  return childOf(properties, name)?.attributes['m:val'];
}
