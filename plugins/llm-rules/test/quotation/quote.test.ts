import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { quote } from '../../src/quotation/quote.js';

const test = suite('quote');
const film = '# The Long Harbour\n\nThe Long Harbour is a film by Mira Okafor. It won two prizes.';

test('quotes the sentences that cover the question, each with its passage', () => {
  const passages = [{ text: film }, { text: 'Mira Okafor was born in Velstad. She paints.' }];
  assert.is(
    quote('Where was the maker of The Long Harbour born?', passages),
    '“The Long Harbour is a film by Mira Okafor.” [1]\n“Mira Okafor was born in Velstad.” [2]',
  );
});

test('does not answer with headings or with too few words of the question', () => {
  assert.is(quote('the long harbour', [{ text: '# The Long Harbour' }]), null);
  assert.is(quote('quantum physics of seals near Oslo', [{ text: 'Seals rest.' }]), null);
  assert.is(quote('anything', []), null);
});

test('escapes text that looks like the number of a passage', () => {
  const passages = [{ text: 'Seals rest on ice.[3] They [1, 2] dive.' }];
  assert.is(
    quote('Where do seals rest on ice?', passages),
    '“Seals rest on ice.\\[3\\] They \\[1, 2\\] dive.” [1]',
  );
});

test('the words of headings, titles and related words lead to the sentence that answers', () => {
  const text =
    '## Mooring\n\nShips pay at the gate. The fee is 20 crowns.\n\n## Fuel\n\nShips buy diesel here. The price is 9 crowns.';
  const first = (question: string, title: string | null = null) =>
    quote(question, [{ title, text }])?.split('\n')[0];
  assert.is(first('How much is the price of fuel?'), '“The price is 9 crowns.” [1]');
  assert.is(first('How much is the fee for mooring?'), '“The fee is 20 crowns.” [1]');
  const tokens = '## Secrets\n\n`rotate` makes a new key. The list shows all keys.';
  assert.is(
    quote('How are secrets changed?', [{ title: 'Access', text: tokens }])?.split('\n')[0],
    '“`rotate` makes a new key.” [1]',
  );
});

test('quotes whole wrapped sentences with their defaults, but no entries of contents', () => {
  const text = [
    '* [Number of retries](#retries)',
    '',
    '- **maxRetries** `number` (optional) - The maximum number of times that',
    '  a request is sent again. Default: `5`',
  ].join('\n');
  assert.is(
    quote('What is the maximum number of retries?', [{ title: null, text }]),
    '“**maxRetries** `number` (optional) - The maximum number of times that a request is sent again. Default: `5`” [1]',
  );
});

test('reads a line of many tags in linear time', () => {
  const text = `${'<a> '.repeat(2000)}seals rest on ice.`;
  const start = performance.now();
  assert.match(quote('Where do seals rest?', [{ text }]) ?? '', /^“<a> <a>/);
  assert.ok(performance.now() - start < 3000);
});

test.run();
