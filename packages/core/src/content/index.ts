export {
  isPlainlyBinary,
  sniff,
  type Sniffed,
  type SniffOptions,
  type TextEncoding,
} from './sniff.js';
export * from './decode.js';
export * from './decode-stream.js';
export * from './lines.js';
export * from './media-types.js';
export * from './pdf.js';
