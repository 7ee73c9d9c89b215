const grouped = new Intl.NumberFormat('en');
const compactBytes = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats an integer: `12,345`. */
export function shownNumber(value: number): string {
  return grouped.format(value);
}

/** Formats a count with its noun: `1 object`, `2 objects`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${shownNumber(count)} ${count === 1 ? one : many}`;
}

/** Formats a number of bytes: `1.2 MB`. */
export function shownBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < compactBytes.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(value < 10 && unit > 0 ? 1 : 0)} ${compactBytes[unit]}`;
}
