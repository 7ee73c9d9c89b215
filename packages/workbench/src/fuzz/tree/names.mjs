import { between, oneOf } from '@trove/test-support/random.js';

const oddCharacters = [
  '-rf',
  '--',
  ' ',
  ' leading and trailing ',
  'new\nline',
  'tab\tand\rreturn',
  'percent %2e%2e %',
  'hash#fragment?query',
  'back\\slash',
  'colon:semi;comma,',
  'quote\'double"back`tick',
  'star*question?[set]',
  '{a,b}',
  '$HOME',
  '\u{1f98a}',
  'e\u0301 and \u00e9',
  '\u202egnp.exe',
  '\ufeffbom',
  'ｆｕｌｌ',
  '…',
  '...',
  '.hidden',
  'con',
  'file:',
  'a'.repeat(255),
  'é'.repeat(127),
  '__proto__',
  'constructor',
  'README.md ',
];

const endings = ['', '.md', '.txt', '.ts', '.json', '.csv', '.ipynb', '.html', '.png', '.JSONL'];
/** Names outside UTF-8. */
const noText = [[0xff], [0x61, 0xc3], [0xed, 0xa0, 0x80], [0x80, 0x2e, 0x6d, 0x64]];

/** Generates a name as bytes. Half of the names are ordinary. */
export function nameFrom(random) {
  if (random() < 0.5) return Buffer.from(`f${between(random, 0, 40)}${oneOf(random, endings)}`);
  if (random() < 0.15) return Buffer.from(oneOf(random, noText));
  const odd = oneOf(random, oddCharacters);
  const name = random() < 0.5 ? odd : odd + oneOf(random, endings);
  return Buffer.from(name).subarray(0, 255);
}
