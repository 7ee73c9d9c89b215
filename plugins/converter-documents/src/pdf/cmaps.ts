import { TextDecoder } from 'node:util';

import { glyphsOf } from './glyphs.js';

type CodeRange = readonly [first: number, last: number];

/** The first number after the glyph numbers of all Adobe collections. */
const firstCharacter = 0x7800;
/** The replacement for unknown characters. */
const unknown = 0xfffd;
/** Code points of the signs and letters in all collections. */
const shared: readonly CodeRange[] = [
  [0x20, 0x24f],
  [0x370, 0x4ff],
  [0x2000, 0x27bf],
  [0x3000, 0x33ff],
  [0xff00, 0xffef],
];
const chinese: readonly CodeRange[] = [...shared, [0x4e00, 0x9fff]];
const korean: readonly CodeRange[] = [...shared, [0xac00, 0xd7a3]];
const charactersOf: Readonly<Record<string, readonly CodeRange[]>> = {
  'Adobe-Japan1-UCS2': chinese,
  'Adobe-GB1-UCS2': chinese,
  'Adobe-CNS1-UCS2': chinese,
  'Adobe-Korea1-UCS2': korean,
};
/** Encodings of two-byte codes by the names of the tables for horizontal (H) and vertical (V) text. */
const encodings: readonly (readonly [RegExp, string])[] = [
  [/-RKSJ-[HV]$/, 'shift_jis'],
  [/^(?:EUC-)?[HV]$/, 'euc-jp'],
  [/^GB(?:K|Kp|K2K|pc)?-(?:EUC-)?[HV]$/, 'gbk'],
  [/^(?:B5pc|ETen-B5|ETenms-B5|HKscs-B5)-[HV]$/, 'big5'],
  [/^KSC(?:ms|pc)?-(?:EUC|UHC)-(?:HW-)?[HV]$/, 'euc-kr'],
];

/**
 * Returns a table that maps codes to characters. Fonts of Chinese, Japanese and Korean may name one of Adobe's
 * predefined tables from codes to glyphs, or from glyphs to characters, without including it. Text extraction needs no
 * glyphs, so these tables use numbers that no glyph has. Returns undefined for an unsupported table.
 */
export function characterMap(name: string): string | undefined {
  const characters = charactersOf[name];
  if (characters !== undefined) return toCharacters(name, characters);
  const ranges = /^UniKS|^KSC/.test(name) ? korean : chinese;
  if (/^Uni(?:JIS|GB|CNS|KS).*-(?:UCS2|UTF16)-/.test(name)) return fromUnicode(ranges);
  const encoding = encodings.find(([pattern]) => pattern.test(name))?.[1];
  return encoding === undefined ? undefined : fromEncoding(encoding, ranges, /^[HV]$/.test(name));
}

function toCharacters(collection: string, ranges: readonly CodeRange[]): string {
  const glyphs = glyphsOf(collection);
  const rows: string[] = [];
  // A number without a mapping would be taken for a character.
  for (let glyph = 1; glyph < firstCharacter; glyph++) {
    rows.push(`<${hex(glyph)}> <${hex(glyphs.get(glyph) ?? unknown)}>`);
  }
  const made = numbered(ranges).map(
    ({ first, last, number }) => `<${hex(number)}> <${hex(number + last - first)}> <${hex(first)}>`,
  );
  const content = `beginbfchar ${rows.join('\n')} endbfchar beginbfrange ${made.join('\n')} endbfrange`;
  return table(['<0000> <ffff>'], content);
}

function fromUnicode(ranges: readonly CodeRange[]): string {
  const rows = numbered(ranges).map(
    ({ first, last, number }) => `<${hex(first)}> <${hex(last)}> ${number}`,
  );
  return table(['<0000> <ffff>'], `begincidrange ${rows.join('\n')} endcidrange`);
}

/** `seven`: both bytes of a code lack their highest bit. */
function fromEncoding(encoding: string, ranges: readonly CodeRange[], seven: boolean): string {
  const decoder = new TextDecoder(encoding);
  const places = numbered(ranges);
  const rows: string[] = [];
  const add = (code: string, ...bytes: readonly number[]): void => {
    const text = decoder.decode(Uint8Array.from(bytes));
    const point = text.charCodeAt(0);
    const place = places.find(({ first, last }) => point >= first && point <= last);
    if (text.length === 1 && place !== undefined) {
      rows.push(`<${code}> ${place.number + point - place.first}`);
    }
  };
  if (!seven) for (let byte = 0x20; byte < 0xe0; byte++) add(hex(byte, 2), byte);
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) {
      const code = (lead << 8) | trail;
      if (!seven) add(hex(code), lead, trail);
      else if (trail > 0xa0) add(hex(code & 0x7f7f), lead, trail);
    }
  }
  const spaces = seven ? ['<2121> <7e7e>'] : ['<20> <80>', '<8140> <fefe>'];
  if (encoding === 'shift_jis') spaces.splice(1, 1, '<8140> <9ffc>', '<a0> <df>', '<e040> <fcfc>');
  return table(spaces, `begincidchar ${rows.join('\n')} endcidchar`);
}

/** Returns ranges with the numbers of their first characters. */
function numbered(ranges: readonly CodeRange[]): { first: number; last: number; number: number }[] {
  let next = firstCharacter;
  return ranges.map(([first, last]) => {
    const number = next;
    next += last - first + 1;
    return { first, last, number };
  });
}

function table(spaces: readonly string[], content: string): string {
  return `begincmap begincodespacerange ${spaces.join(' ')} endcodespacerange ${content} endcmap`;
}

function hex(value: number, digits = 4): string {
  return value.toString(16).padStart(digits, '0');
}
