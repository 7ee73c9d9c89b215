import { characterMap } from './cmaps.js';

const maps = new Map<string, Uint8Array>();

/** Provides the data files that pdf.js requests: generates character tables, and rejects fonts and programs. */
export class BinaryData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const known = maps.get(filename);
    if (known !== undefined) return known;
    const map = kind === 'cMapUrl' ? characterMap(filename) : undefined;
    if (map === undefined) throw new Error(`The file ${filename} does not exist.`);
    const bytes = Buffer.from(map, 'latin1');
    maps.set(filename, bytes);
    return bytes;
  }
}
