import { toScript } from './scripts.js';

/** Puts a part of a formula in parentheses unless it is a single word, number or sign. */
export function parenthesize(text: string): string {
  return /^(?:[\p{L}\p{N}\p{M}.,]*|.)$/u.test(text) || isEnclosed(text) ? text : `(${text})`;
}

/** Formats a superscript or subscript of a formula, in Unicode characters or after `^` or `_`. */
export function formatScript(text: string, kind: 'superscript' | 'subscript'): string {
  if (text === '') return '';
  return toScript(text, kind) ?? (kind === 'superscript' ? '^' : '_') + parenthesize(text);
}

/** Whether one pair of parentheses encloses the whole text. */
function isEnclosed(text: string): boolean {
  if (!text.startsWith('(')) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at === text.length - 1;
  }
  return false;
}
