export {
  hasBinaryStart,
  sniff,
  guessSampleBytes,
  type SniffResult,
  type SniffOptions,
} from './sniff.js';
export * from './decode.js';
export {
  decodeBytes,
  decoderOf,
  encodingOf,
  extendsAscii,
  type TextEncoding,
} from './encodings.js';
export * from './decode-stream.js';
export * from './lines.js';
