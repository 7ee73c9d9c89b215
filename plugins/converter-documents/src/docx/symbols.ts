/** Characters of Word's symbol fonts by their codes, which are specific to these fonts. */
const wingdings: Readonly<Record<number, string>> = {
  0x6c: '●',
  0x6e: '■',
  0x6f: '☐',
  0x71: '❑',
  0x76: '❖',
  0x9f: '•',
  0xa7: '▪',
  0xa8: '☐',
  0xd8: '➢',
  0xdf: '←',
  0xe0: '→',
  0xe1: '↑',
  0xe2: '↓',
  0xe8: '➔',
  0xf0: '⇨',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
};

/** The letters of the font Symbol from 0x41 and 0x61, and its signs. */
const greek = symbolFont(
  [0x41, 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'],
  [0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'],
  [0xa1, 'ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…'],
  [0xc3, '⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊'],
  [0xe5, '∑'],
  [0xf2, '∫'],
);
const others: Readonly<Record<string, string>> = {
  '"': '∀',
  $: '∃',
  "'": '∋',
  '*': '∗',
  '-': '−',
  '@': '≅',
  '^': '⊥',
  '~': '∼',
  '\\': '∴',
};

/** Returns the character of a symbol font (`w:sym`). `code` is hexadecimal. */
export function symbolOf(font: string, code: string | undefined): string {
  const point = Number.parseInt(code ?? '', 16);
  const isPrivate = point >= 0xf0_00 && point <= 0xf0_ff;
  if (!isPrivate && !(point >= 0x20 && point < 0xd8_00)) return '•';
  const low = isPrivate ? point - 0xf0_00 : point;
  if (/^wingdings/i.test(font)) return wingdings[low] ?? '•';
  if (/^symbol/i.test(font) && low < 0x1_00) {
    const plain = String.fromCharCode(low);
    return (
      greek.get(low) ?? others[plain] ?? (/[\d!#%&()+,./:;<=>?[\]_{|}]/.test(plain) ? plain : '•')
    );
  }
  return isPrivate ? '•' : String.fromCodePoint(point);
}

function symbolFont(...runs: readonly (readonly [number, string])[]): ReadonlyMap<number, string> {
  return new Map(
    runs.flatMap(([from, signs]) =>
      Array.from(signs, (sign, at): [number, string] => [from + at, sign]),
    ),
  );
}
