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

test.run();
