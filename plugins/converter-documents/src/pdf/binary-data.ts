import { characterMap } from './cmaps.js';

const maps = new Map<string, Uint8Array>();

/** What pdf.js asks for files that it does not contain: tables of characters are made, fonts and programs are not there. */
export class BinaryData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const known = maps.get(filename);
    if (known !== undefined) return known;
    const map = kind === 'cMapUrl' ? characterMap(filename) : undefined;
    if (map === undefined) throw new Error(`There is no ${filename}.`);
    const bytes = Buffer.from(map, 'latin1');
    maps.set(filename, bytes);
    return bytes;
  }
}
