import { childOf, childrenOf, type XmlElement } from '../xml/element.js';

/** How to show a number: as it is, as a percentage, date or time, or digit by digit. */
export type NumberKind =
  | 'number'
  | 'percent'
  | 'date'
  | 'time'
  | 'date and time'
  | 'duration'
  | DigitsKind;

/** A number that is a code, such as a postcode. Its digits fill the places of a format. */
interface DigitsKind {
  /** `0` is a digit, `#` an optional digit, and any other sign stands for itself. */
  readonly places: readonly { readonly sign: string; readonly isDigit: boolean }[];
}

/** The number of digits that a cell keeps. */
const precision = 15;

/** Excel allows no longer format codes. */
const maxCodeLength = 255;
const dayMs = 86_400_000;
/** 30 December 1899, which is day 0 for days after February 1900. */
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);
/** The day after the last day of the year 9999. */
const endOfDays = 2_958_466;

/** Returns the kinds of cells by style number (`s`). */
export function kindsOfStyles(styles: XmlElement | undefined): NumberKind[] {
  const custom = new Map<string, NumberKind>();
  const formats = childOf(styles, 'numFmts');
  for (const { attributes } of formats === undefined ? [] : childrenOf(formats, 'numFmt')) {
    custom.set(attributes['numFmtId'] ?? '', kindOfFormat(attributes['formatCode'] ?? ''));
  }
  const cells = childOf(styles, 'cellXfs');
  return [...(cells === undefined ? [] : childrenOf(cells, 'xf'))].map(({ attributes }) => {
    const id = attributes['numFmtId'] ?? '0';
    return custom.get(id) ?? builtInKind(Number(id));
  });
}

/** Formats a number for readers, with dates and times in ISO 8601. */
export function formatNumber(value: number, kind: NumberKind, since1904: boolean): string {
  if (typeof kind === 'object') return digits(value, kind);
  switch (kind) {
    case 'number':
      return shown(value);
    case 'percent':
      return `${Number((value * 100).toPrecision(12))}%`;
    case 'duration':
      return duration(value);
    default:
      return date(value, kind, since1904);
  }
}

/** Removes the error of binary fractions: 0.1 + 0.2 becomes 0.3. */
function shown(value: number): string {
  return String(Number(value.toPrecision(precision)));
}

function digits(value: number, { places }: DigitsKind): string {
  const text = String(Math.round(Math.abs(value)));
  if (!/^\d+$/.test(text)) return shown(value);
  let left = text;
  let written = '';
  const first = places.findIndex(({ isDigit }) => isDigit);
  for (let at = places.length - 1; at >= 0; at--) {
    const { sign = '', isDigit = false } = places[at] ?? {};
    const count = at === first ? Math.max(1, left.length) : 1;
    const taken = isDigit ? left.slice(-count) : sign;
    if (isDigit) left = left.slice(0, Math.max(0, left.length - count));
    written = (taken === '' && sign === '0' ? '0' : taken) + written;
  }
  return (value < 0 ? '-' : '') + written.trim();
}

function date(value: number, kind: NumberKind, since1904: boolean): string {
  if (value < 0 || value >= endOfDays) return String(value);
  // Excel counts the first sixty days of 1900 as if that year were a leap year.
  const day = !since1904 && value >= 1 && value < 60 ? value + 1 : value;
  const milliseconds = Math.round((day * dayMs) / 1000) * 1000;
  const iso = new Date((since1904 ? epoch1904 : epoch1900) + milliseconds).toISOString();
  if (kind === 'time' && value < 1) return iso.slice(11, 19);
  return kind === 'date' || value % 1 === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}

function duration(value: number): string {
  const seconds = Math.round(Math.abs(value) * 86_400);
  const two = (number: number) => String(number).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  return `${value < 0 ? '-' : ''}${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function builtInKind(id: number): NumberKind {
  if (id === 9 || id === 10) return 'percent';
  if (id === 22) return 'date and time';
  if (id === 46) return 'duration';
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || id === 32 || id === 33) return 'time';
  const isDate = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDate ? 'date' : 'number';
}

/** Determines the kind by the letters of a format code such as `dd/mm/yyyy hh:mm`, except its literal texts. */
export function kindOfFormat(code: string): NumberKind {
  const [positive = ''] = code
    .slice(0, maxCodeLength)
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return 'duration';
  const letters = positive.replaceAll(/\[[^\]]*\]|AM\/PM|A\/P|General/gi, '').toLowerCase();
  const hasTime = /[hs]/.test(letters);
  const hasDate = /[yd]/.test(letters) || (letters.includes('m') && !hasTime);
  if (hasDate) return hasTime ? 'date and time' : 'date';
  if (hasTime) return 'time';
  return letters.includes('%') ? 'percent' : (digitsKind(code) ?? 'number');
}

/** Returns null for a format of amounts. A format of codes keeps leading zeros or has signs between digits. */
function digitsKind(code: string): DigitsKind | null {
  const [positive = ''] = code.slice(0, maxCodeLength).split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const parts = positive.match(/\[[^\]]*\]|"[^"]*"|\\.|[_*].|[\s\S]/g) ?? [];
  const places = parts.flatMap((part) => {
    if (/^[0#?]$/.test(part)) return [{ sign: part === '0' ? '0' : '', isDigit: true }];
    if (/^(?:\[.*\]|[_*].)$/.test(part)) return [];
    const sign = part.startsWith('"') ? part.slice(1, -1) : part.replace(/^\\/, '');
    return [{ sign, isDigit: false }];
  });
  // A point, a thousands separator, an exponent or a fraction marks an amount.
  const isAmount = parts.some((part) => /^[.,Ee/@]$/.test(part));
  const shape = places.map(({ sign, isDigit }) => (isDigit ? (sign === '0' ? '0' : '#') : '-'));
  const isCode = /00|[0#]-+[0#]/.test(shape.join(''));
  return isAmount || !isCode ? null : { places };
}
