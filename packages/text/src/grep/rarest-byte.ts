/** Starts the letters of Latin, Greek, Cyrillic and Arabic, and of many scripts of Asia. */
const leadBytes = [0xc3, 0xd0, 0xd1, 0xce, 0xd8, 0xd9, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe0];
/** Bytes of text in UTF-8, most common first. All others are rarer. */
const commonBytes = [
  ...Buffer.from(' etaoinsrhldcu\nmfpgwybv'),
  ...leadBytes,
  ...Buffer.from('k,.-_"/()=:;\'0123456789xSTACEIMRPDNBLjqz'),
];
const ranks = new Map(commonBytes.map((byte, index) => [byte, index]));
/** Fewer bytes occur in too many texts. */
const minLength = 4;

/**
 * Returns the end of a text in UTF-8, from its rarest byte on. A search for bytes is several times faster if the first
 * byte is rare.
 */
export function fromRarestByte(bytes: Buffer): Buffer {
  let rarest = 0;
  for (let at = 1; at <= bytes.length - minLength; at++) {
    if (rank(bytes[at]) > rank(bytes[rarest])) rarest = at;
  }
  return bytes.subarray(rarest);
}

function rank(byte = 0): number {
  return ranks.get(byte) ?? commonBytes.length;
}
