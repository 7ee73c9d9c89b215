import { TextDecoder } from 'node:util';

/** Glyphs numbered in the order of a national standard, without codes that have no character. */
interface GlyphRun {
  readonly encoding: string;
  readonly first: number;
  readonly last: number;
  readonly glyph: number;
}

interface GlyphCollection {
  /** The glyphs of `!` in full width and half width. Those up to `~` follow. */
  readonly latin: readonly number[];
  readonly runs: readonly GlyphRun[];
}

const run = (encoding: string, first: number, last: number, glyph: number): GlyphRun => ({
  encoding,
  first,
  last,
  glyph,
});

/** The glyph numbers of Adobe's collections. */
const collections: Readonly<Record<string, GlyphCollection>> = {
  'Adobe-Japan1-UCS2': {
    latin: [2, 232],
    runs: [
      run('euc-jp', 0xa1a1, 0xa1fe, 633),
      run('euc-jp', 0xa4a1, 0xa4f3, 842),
      run('euc-jp', 0xa5a1, 0xa5f6, 925),
      run('euc-jp', 0xb0a1, 0xf4a4, 1125),
    ],
  },
  'Adobe-GB1-UCS2': {
    latin: [2, 814],
    runs: [
      run('gbk', 0xa1a1, 0xa1fe, 96),
      run('gbk', 0xa3a1, 0xa3fe, 262),
      run('gbk', 0xb0a1, 0xf7fe, 940),
    ],
  },
  'Adobe-CNS1-UCS2': { latin: [2, 13_649], runs: [] },
  'Adobe-Korea1-UCS2': {
    latin: [2, 8095],
    runs: [
      run('euc-kr', 0xa1a1, 0xa1fe, 101),
      run('euc-kr', 0xa3a1, 0xa3fe, 264),
      run('euc-kr', 0xb0a1, 0xc8fe, 1086),
    ],
  },
};

/** Returns characters by glyph number. */
export function glyphsOf(collection: string): Map<number, number> {
  const characters = new Map<number, number>();
  const { latin, runs } = collections[collection] ?? { latin: [], runs: [] };
  for (const glyph of latin) {
    for (let point = 0x21; point <= 0x7e; point++) characters.set(glyph + point - 0x21, point);
  }
  characters.set(1, 0x20);
  for (const { encoding, first, last, glyph } of runs) {
    const decoder = new TextDecoder(encoding);
    let next = glyph;
    for (let code = first; code <= last; code++) {
      if ((code & 0xff) < 0xa1 || (code & 0xff) === 0xff) continue;
      const text = decoder.decode(Uint8Array.of(code >> 8, code & 0xff));
      // Codes without a character are not numbered, and private-use codes are not characters.
      if (text.length !== 1 || /[\ufffd\ue000-\uf8ff]/.test(text)) continue;
      characters.set(next, text.charCodeAt(0));
      next++;
    }
  }
  return characters;
}
