const maxPages = 5_000;
const entryBytes = 12;
const firstDirectory = 4;

/** Returns the offset of each page's directory in a TIFF, in order, or null for other files. */
export function tiffDirectories(bytes: Uint8Array): number[] | null {
  const view = viewOf(bytes);
  if (view === null) return null;
  const { data, little } = view;
  const found = new Set<number>();
  let at = data.getUint32(firstDirectory, little);
  while (at >= 8 && at + 2 <= data.byteLength && !found.has(at) && found.size < maxPages) {
    const next = at + 2 + data.getUint16(at, little) * entryBytes;
    if (next + 4 > data.byteLength) break;
    found.add(at);
    at = data.getUint32(next, little);
  }
  return [...found];
}

/** Returns the file with another page first, because readers of single pictures see only the first. */
export function tiffBeginningAt(bytes: Uint8Array, directory: number): Uint8Array {
  const copy = bytes.slice();
  const view = viewOf(copy);
  view?.data.setUint32(firstDirectory, directory, view.little);
  return copy;
}

function viewOf(bytes: Uint8Array): { data: DataView; little: boolean } | null {
  if (bytes.length < 8) return null;
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = data.getUint32(0);
  if (start === 0x49492a00) return { data, little: true };
  return start === 0x4d4d002a ? { data, little: false } : null;
}
