const romans: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const letters = 26;
/** Larger numbers have no Roman numeral and are written in digits. */
const maxRoman = 3999;

/** Formats a number in one of Word's formats (`w:numFmt`), or in digits for an unknown format. */
export function formatNumber(number: number, format: string): string {
  if (number < 1 || number > maxRoman) return String(number);
  switch (format) {
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'lowerRoman':
      return roman(number);
    case 'upperRoman':
      return roman(number).toUpperCase();
    case 'lowerLetter':
      return letter(number);
    case 'upperLetter':
      return letter(number).toUpperCase();
    case 'ordinal':
      return number + ordinalEnd(number);
    default:
      return String(number);
  }
}

function roman(number: number): string {
  let left = number;
  let text = '';
  for (const [value, sign] of romans) {
    for (; left >= value; left -= value) text += sign;
  }
  return text;
}

/** After z comes aa, then bb. */
function letter(number: number): string {
  const sign = String.fromCharCode('a'.charCodeAt(0) + ((number - 1) % letters));
  return sign.repeat(Math.ceil(number / letters));
}

function ordinalEnd(number: number): string {
  const last = number % 100;
  if (last >= 11 && last <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][last % 10] ?? 'th';
}
