/** Three bytes in a row, which are the units of a signature. */
const trigramBytes = 3;
/** A signature has one byte for this many bytes of text, so it takes 4 % of the space. About half of its bits are set. */
const textBytesPerByte = 24;
const minBytes = 16;
/** Spreads neighbouring trigrams over the signature. */
const multiplier = 0x9e3779b1;
const hashRange = 2 ** 32;

/** Returns the set of the trigrams in a text, as a bit for each hash. Distinct trigrams may share a bit. */
export function signatureOf(text: Uint8Array): Uint8Array {
  const signature = new Uint8Array(Math.max(minBytes, Math.ceil(text.length / textBytesPerByte)));
  const scale = (signature.length * 8) / hashRange;
  let trigram = ((text[0] ?? 0) << 8) | (text[1] ?? 0);
  for (let at = trigramBytes - 1; at < text.length; at++) {
    trigram = ((trigram << 8) | (text[at] ?? 0)) & 0xffffff;
    const bit = Math.floor((Math.imul(trigram, multiplier) >>> 0) * scale);
    signature[bit >> 3] = (signature[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return signature;
}

/** Returns the hash of each trigram of a text. Empty for a text that a signature cannot exclude. */
export function trigramHashes(text: Uint8Array): number[] {
  const hashes: number[] = [];
  for (let at = 0; at + trigramBytes <= text.length; at++) {
    const [first = 0, second = 0, third = 0] = text.subarray(at, at + trigramBytes);
    hashes.push(Math.imul((first << 16) | (second << 8) | third, multiplier) >>> 0);
  }
  return hashes;
}

/** Whether the text of a signature, part of `signatures`, may contain all trigrams. */
export function mayContain(
  signatures: Uint8Array,
  { start, length }: { readonly start: number; readonly length: number },
  hashes: readonly number[],
): boolean {
  const scale = (length * 8) / hashRange;
  return hashes.every((hash) => {
    const bit = Math.floor(hash * scale);
    return ((signatures[start + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0;
  });
}
