/** Documents tell what they are in the beginning; of a large archive no more is looked at. */
const startBytes = 4096;
const header = 'PK\x03\x04';
const headerBytes = 30;

/** Members that every Office document has, near its beginning. */
const packageParts: ReadonlySet<string> = new Set(['[Content_Types].xml', '_rels/.rels']);
const officeFolders: readonly (readonly [string, string])[] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
];

/**
 * The media type of what is in a ZIP archive, by its first members: what OpenDocument and EPUB say themselves, or which
 * application's folder it has beside the parts of an Office document. Null when they do not tell.
 */
export function typeOfZip(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, startBytes));
  const text = start.toString('latin1');
  const names: string[] = [];
  for (let at = 0; at >= 0 && at + headerBytes <= start.length;) {
    const nameAt = at + headerBytes;
    const nameEnd = nameAt + start.readUInt16LE(at + 26);
    const from = nameEnd + start.readUInt16LE(at + 28);
    // Whoever does not know a length yet writes 0, and the next header is looked for.
    const to = from + start.readUInt32LE(at + 18);
    names.push(text.slice(nameAt, nameEnd));
    if (names[0] === 'mimetype') return text.slice(from, to).trim();
    at = text.indexOf(header, to);
  }
  if (!names.some((name) => packageParts.has(name))) return null;
  const found = officeFolders.find(([folder]) => names.some((name) => name.startsWith(folder)));
  return found?.[1] ?? null;
}
