/**
 * Accents, reading aids and invisible joiners. Vowel signs of Indic scripts and voicing marks of kana
 * are not among them: those make another letter.
 */
const ACCENTS =
  /(?![\u3099\u309A])\p{Script=Inherited}|(?=\p{M})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}]|[\u00AD\u0640\u2060\uFEFF]/gu;

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
