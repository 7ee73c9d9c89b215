/** Marks that carry an accent or a reading aid; vowel signs of Indic scripts are not among them. */
const ACCENTS =
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F]+/g;

/** Letters that decompose to nothing simpler, spelled the way people type them. */
const SPELLED: Readonly<Record<string, string>> = {
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
const SPELLED_LETTERS = /[ßæœøđðħıłþŧς]/g;

/** Compatibility forms and accents removed; the case stays, it marks the parts of identifiers. */
export function foldAccents(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}

/** Lower case, and the letters that have no accent to lose spelled out. */
export function foldCase(text: string): string {
  return text.toLowerCase().replace(SPELLED_LETTERS, (letter) => SPELLED[letter] ?? letter);
}
