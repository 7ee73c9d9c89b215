/** The beginning of a document identifies it, so the rest of a large archive is not read. */
const startBytes = 4096;
const header = 'PK\x03\x04';
const headerBytes = 30;

/** Members near the beginning of every Office document. */
const packageParts: ReadonlySet<string> = new Set(['[Content_Types].xml', '_rels/.rels']);
const officeFolders: readonly (readonly [string, string])[] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
];

/**
 * Returns the media type of a document in a ZIP archive, by its first members. OpenDocument and EPUB declare it. Office
 * documents have a folder of their application. Null if unknown.
 */
export function typeOfZip(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, startBytes));
  const text = start.toString('latin1');
  const names: string[] = [];
  for (let at = 0; at >= 0 && at + headerBytes <= start.length;) {
    const nameAt = at + headerBytes;
    const nameEnd = nameAt + start.readUInt16LE(at + 26);
    const from = nameEnd + start.readUInt16LE(at + 28);
    // Streaming writers store the length 0, so the next header is searched.
    const to = from + start.readUInt32LE(at + 18);
    names.push(text.slice(nameAt, nameEnd));
    if (names[0] === 'mimetype') return text.slice(from, to).trim();
    at = text.indexOf(header, to);
  }
  if (!names.some((name) => packageParts.has(name))) return null;
  const found = officeFolders.find(([folder]) => names.some((name) => name.startsWith(folder)));
  return found?.[1] ?? null;
}
