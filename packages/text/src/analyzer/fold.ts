/**
 * Accents, reading aids and invisible joiners. Indic vowel signs and kana voicing marks are excluded because they make
 * a different letter.
 */
const accents =
  /(?![\u3099\u309A])\p{Script=Inherited}|(?=\p{M})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}]|[\u00AD\u0640\u2060\uFEFF]/gu;

/** Letters without a decomposition, in their usual spelling. */
const spelledOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ŧ: 't',
  ς: 'σ',
};
const spelledOutLetters = /[ßæœøđðħıłþŧς]/g;

/** Removes compatibility forms and accents. Keeps the case, which separates the parts of identifiers. */
export function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(accents, '').normalize('NFC');
}

/** Lower-cases a text and spells out letters without a decomposition. */
export function foldCase(text: string): string {
  return text.toLowerCase().replace(spelledOutLetters, (letter) => spelledOut[letter] ?? letter);
}
