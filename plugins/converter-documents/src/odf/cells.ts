import type { XmlElement } from '../xml/element.js';
import { plainText } from './inline.js';

/** Returns the display of a spreadsheet cell: dates and times in ISO 8601, and plain numbers. */
export function cellText(cell: XmlElement): string {
  const { attributes } = cell;
  const value = attributes['office:value'];
  switch (attributes['office:value-type']) {
    case 'float':
      return value === undefined ? plainText(cell) : String(Number(value));
    case 'percentage':
      return value === undefined
        ? plainText(cell)
        : `${Number((Number(value) * 100).toPrecision(12))}%`;
    case 'currency':
      return `${Number(value ?? 0)} ${attributes['office:currency'] ?? ''}`.trim();
    case 'boolean':
      return (attributes['office:boolean-value'] ?? '').toUpperCase();
    case 'date':
      return (attributes['office:date-value'] ?? '').replace(/T00:00:00(?:\.0+)?$/, '');
    case 'time':
      return time(attributes['office:time-value'] ?? '');
    default:
      return plainText(cell);
  }
}

/** Formats `PT09H30M00S` as `09:30:00`. */
function time(value: string): string {
  const [, hours, minutes, seconds] = /^-?PT(\d+)H(\d+)M(\d+)/.exec(value) ?? [];
  if (hours === undefined || minutes === undefined || seconds === undefined) return value;
  return `${hours}:${minutes}:${seconds}`;
}
