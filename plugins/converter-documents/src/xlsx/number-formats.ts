import { childOf, childrenOf, type XmlElement } from '../xml/element.js';

/** How a number is to be shown: as it is, or as what it stands for. */
export type NumberKind = 'number' | 'percent' | 'date' | 'time' | 'date and time' | 'duration';

/** Excel takes no longer ones. */
const LONGEST_CODE = 255;
const DAY = 86_400_000;
/** 30 December 1899: day 0, for days after February 1900. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** The day after the last one of the year 9999. */
const END_OF_DAYS = 2_958_466;

/** Kinds of cells by the number of their style (`s`). */
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

/** A number as people read it; dates and times as ISO 8601 writes them. */
export function formatNumber(value: number, kind: NumberKind, since1904: boolean): string {
  switch (kind) {
    case 'number':
      return String(value);
    case 'percent':
      return `${Number((value * 100).toPrecision(12))}%`;
    case 'duration':
      return duration(value);
    default:
      return date(value, kind, since1904);
  }
}

function date(value: number, kind: NumberKind, since1904: boolean): string {
  if (value < 0 || value >= END_OF_DAYS) return String(value);
  // The first sixty days of 1900 are counted as if that year had been a leap year.
  const day = !since1904 && value >= 1 && value < 60 ? value + 1 : value;
  const milliseconds = Math.round((day * DAY) / 1000) * 1000;
  const iso = new Date((since1904 ? EPOCH_1904 : EPOCH_1900) + milliseconds).toISOString();
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

/** By the letters of a format code, such as `dd/mm/yyyy hh:mm`, outside of what it shows literally. */
function kindOfFormat(code: string): NumberKind {
  const [positive = ''] = code
    .slice(0, LONGEST_CODE)
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return 'duration';
  const letters = positive.replaceAll(/\[[^\]]*\]|AM\/PM|A\/P|General/gi, '').toLowerCase();
  const hasTime = /[hs]/.test(letters);
  const hasDate = /[yd]/.test(letters) || (letters.includes('m') && !hasTime);
  if (hasDate) return hasTime ? 'date and time' : 'date';
  if (hasTime) return 'time';
  return letters.includes('%') ? 'percent' : 'number';
}
